import type { FeatureParts } from '../../../feature.js';
import { type Html, html } from '../../../http/html.js';
import { profileInputs } from '../../pages/account.js';
import { emailField } from '../../pages/field.js';
import { form, linkButton } from '../../pages/form.js';
import { type TextsOf, translator } from '../../pages/language.js';
import { carryTo, pathTo, type Visit } from '../../pages/visit.js';
import { isOpen, type registration } from '../feature.js';

const t = translator({
  de: {
    'New here?': 'Neu hier?',
    'Create an account': 'Konto anlegen',
    optional: 'optional',
    'Already have an account?': 'Sie haben schon ein Konto?',
    'Your account is ready': 'Ihr Konto ist angelegt',
    'Sign in to use it.': 'Melden Sie sich an, um es zu nutzen.',
    REGISTRATION_REJECTED: 'Diese Registrierung ist nicht möglich.',
    USER_EXISTS: 'Es gibt schon ein Konto mit dieser Adresse.',
  },
} satisfies TextsOf<typeof registration>);

export const registrationPages: FeatureParts = {
  texts: t.texts,
  besideSignIn: (visit) =>
    !visit.caller &&
    isOpen(visit.services.config) &&
    html`<footer>${t('New here?')} <a href="${pathTo(visit, '/ui/register')}">${t('Create an account')}</a></footer>`,
  startLinks: (config) =>
    isOpen(config) ? [[`${config.AUTH_PREFIX}/ui/register`, t('Create an account')]] : [],
  pages: {
    '/ui/register': {
      isMounted: isOpen,
      title: () => t('Create an account'),
      content: registrationForm,
      forms: {
        register: {
          submits: 'POST /register',
          beside: { USER_EXISTS: 'email' },
          next: (visit, _result, { email = '' }) => carryTo(visit, '/ui/registered', { email }),
        },
      },
    },
    '/ui/registered': {
      isMounted: isOpen,
      title: async (visit) => (await noticeOf(visit))?.title ?? t('Your account is ready'),
      elsewhere: (visit) => (visit.carried ? undefined : pathTo(visit, '/ui/register')),
      content: welcome,
    },
  },
};

function registrationForm(visit: Visit): Html {
  const required = visit.services.features.flatMap((each) => each.registerFields?.(visit) ?? []);
  const optional = profileInputs(visit).map((each) => ({
    ...each,
    label: html`${each.label} (${t('optional')})`,
  }));
  const fields = [emailField, ...required, ...optional];
  return html`${form(visit, { name: 'register', fields, submit: t('Create an account') })}
<footer>${t('Already have an account?')} <a href="${pathTo(visit, '/ui/login')}">${t('Sign in')}</a></footer>`;
}

async function noticeOf(visit: Visit) {
  const { features } = visit.services;
  const notices = await Promise.all(features.map((each) => each.registerNotice?.(visit)));
  return notices.find(Boolean);
}

async function welcome(visit: Visit): Promise<Html> {
  const { text, title } = (await noticeOf(visit)) ?? {};
  const signIn = pathTo(visit, '/ui/login');
  if (title) return html`${text}\n<footer><a href="${signIn}">${t('Back to sign-in')}</a></footer>`;
  return html`${text}
<p>${t('Sign in to use it.')}</p>
${linkButton(signIn, t('Sign in'))}`;
}
