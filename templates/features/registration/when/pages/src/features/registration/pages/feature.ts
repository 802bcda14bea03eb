import type { Config } from '../../../config.js';
import { defineFeature } from '../../../feature.js';
import { type HtmlValue, html } from '../../../http/html.js';
import { emailField, form } from '../../pages/form.js';
import { defineTexts, type ErrorTextsOf, type Text } from '../../pages/language.js';
import type { Page } from '../../pages/page.js';
import { profileInputs } from '../../pages/profile.js';
import { pagesTexts } from '../../pages/texts.js';
import { pathTo, type Visit } from '../../pages/visit.js';
import { isOpen, type registration } from '../feature.js';

const texts = defineTexts({
  isNew: { en: 'New here?', de: 'Neu hier?' },
  register: { en: 'Create an account', de: 'Konto anlegen' },
  optional: { en: 'optional', de: 'optional' },
  hasAccount: { en: 'Already have an account?', de: 'Sie haben schon ein Konto?' },
  registered: { en: 'Your account is ready', de: 'Ihr Konto ist angelegt' },
  useIt: { en: 'Sign in to use it.', de: 'Melden Sie sich an, um es zu nutzen.' },
});

const errorTexts: ErrorTextsOf<typeof registration> = {
  de: {
    REGISTRATION_REJECTED: 'Diese Registrierung ist nicht möglich.',
    'A name has at most # characters.': 'Ein Name hat höchstens # Zeichen.',
    USER_EXISTS: 'Es gibt schon ein Konto mit dieser Adresse.',
  },
};

const registerPage: Page = {
  path: '/ui/register',
  isMounted: isOpen,
  title: ({ query }) => texts[query.has('done') ? 'registered' : 'register'],
  content: (visit) => (visit.query.has('done') ? welcome(visit) : registrationForm(visit)),
  forms: {
    register: { submits: 'POST /register', beside: { USER_EXISTS: 'email' } },
  },
};

function registrationForm(visit: Visit) {
  const required = visit.services.features.flatMap((each) => each.registerFields ?? []);
  const optional = profileInputs().map((each) => ({
    ...each,
    label: html`${each.label} (${texts.optional})`,
  }));
  const fields = [emailField, ...required, ...optional];
  return html`${form(visit, { name: 'register', fields, submit: texts.register })}
<footer>${texts.hasAccount} <a href="${pathTo(visit, '/ui/login')}">${pagesTexts.signIn}</a></footer>`;
}

async function welcome(visit: Visit) {
  const { features } = visit.services;
  const more = await Promise.all(features.map((each) => each.registerNotice?.(visit)));
  return html`${more}
<p>${texts.useIt}</p>
<p><a class="button primary" href="${pathTo(visit, '/ui/login')}">${pagesTexts.signIn}</a></p>`;
}

const startLinks = (config: Config): [string, Text][] =>
  isOpen(config) ? [[`${config.AUTH_PREFIX}/ui/register`, texts.register]] : [];

export const registrationPages = defineFeature({
  errorTexts,
  besideSignIn: (visit: Visit): HtmlValue => {
    if (!isOpen(visit.services.config)) return undefined;
    return html`<footer>${texts.isNew} <a href="${pathTo(visit, '/ui/register')}">${texts.register}</a></footer>`;
  },
  startLinks,
  pages: [registerPage],
});
