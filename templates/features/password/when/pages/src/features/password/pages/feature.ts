import type { Config } from '../../../config.js';
import type { FeatureParts } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import { type Html, html, type Text } from '../../../http/html.js';
import type { User } from '../../../users/user.js';
import { emailField, type Field } from '../../pages/field.js';
import { form } from '../../pages/form.js';
import { type TextsOf, translator } from '../../pages/language.js';
import { otherWays, redirectAfterSignIn, sentNotice } from '../../pages/login.js';
import { inLanguageOf } from '../../pages/refusal.js';
import { carryTo, pathTo, type SignedIn, type Visit } from '../../pages/visit.js';
import type { password } from '../feature.js';
import { KIND } from '../mails.js';
import { PASSWORD_BYTES } from '../password.js';

declare module '../../../feature.js' {
  interface FeatureParts {
    /** The least length of a new password, in characters, for its fields to state; the policy decides. */
    leastPasswordLength?: (config: Config) => number;
  }
}

const t = translator({
  en: {
    'Use at most # bytes.':
      'Too long: at most # letters or digits; other characters count as several.',
  },
  de: {
    'Current password': 'Aktuelles Passwort',
    Set: 'Festgelegt',
    'Not set': 'Nicht festgelegt',
    'Change the password': 'Passwort ändern',
    'Your password was changed. Sessions in other browsers have ended.':
      'Ihr Passwort ist geändert. Sitzungen in anderen Browsern sind beendet.',
    'Your password was changed, and all your sessions have ended.':
      'Ihr Passwort ist geändert, und alle Ihre Sitzungen sind beendet.',
    'If there is an account with this address, an email is on its way. Its link works for an hour.':
      'Falls es ein Konto mit dieser Adresse gibt, ist eine E-Mail unterwegs. Der Link darin gilt eine Stunde lang.',
    Password: 'Passwort',
    'New password': 'Neues Passwort',
    'Forgot your password?': 'Passwort vergessen?',
    'Reset your password': 'Passwort zurücksetzen',
    'Enter your email address. We will email you a link to choose a new password.':
      'Geben Sie Ihre E-Mail-Adresse ein. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
    'Set the new password': 'Neues Passwort festlegen',
    INVALID_CREDENTIALS: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    INVALID_CURRENT_PASSWORD: 'Das aktuelle Passwort ist falsch.',
    'Enter a password.': 'Geben Sie ein Passwort ein.',
    'Use at most # bytes.':
      'Zu lang: höchstens # Buchstaben oder Ziffern; andere Zeichen zählen mehrfach.',
    INVALID_RESET_TOKEN: 'Dieser Link ist nicht mehr gültig.',
  },
} satisfies TextsOf<typeof password>);

async function hasPassword({ services, caller }: SignedIn): Promise<boolean> {
  return (await services.password.findHash(caller.user.id)) !== undefined;
}

/** A field for the account's current password, or for a new one. */
function passwordField(kind: 'current' | 'new', name: string, label: Text): Field {
  return { name, label, type: 'password', autocomplete: `${kind}-password` };
}

/** States the least length; the greatest to password managers only: `maxlength` would silently cut what is pasted. */
function newPassword(visit: Visit, name: string, label: Text): Field {
  const { config, features } = visit.services;
  const [least = 1] = features.flatMap((each) => each.leastPasswordLength?.(config) ?? []);
  const rules = `minlength: ${least}; maxlength: ${PASSWORD_BYTES};`;
  const attributes = html` minlength="${least}" passwordrules="${rules}"`;
  const hint = least > 1 && inLanguageOf(visit, `Use at least ${least} characters.`);
  return { ...passwordField('new', name, label), attributes, hint };
}

/** Tells password managers whose password this is; without a name it is not sent. */
function ownerField({ email }: User): Html {
  return html`<input type="text" autocomplete="username" value="${email}" hidden>`;
}

const current = passwordField('current', 'currentPassword', t('Current password'));
const next = (visit: Visit) => newPassword(visit, 'newPassword', t('New password'));

export const passwordPages: FeatureParts = {
  texts: t.texts,
  proofField: current,
  signInWay: {
    name: 'password',
    label: t('Sign in'),
    fields: [{ ...passwordField('current', 'password', t('Password')), isOptional: true }],
    aside: (visit) =>
      html`<p><a href="${pathTo(visit, '/ui/forgot-password')}">${t('Forgot your password?')}</a></p>`,
    form: { submits: 'POST /login', next: redirectAfterSignIn },
  },
  registerFields: (visit) => [newPassword(visit, 'password', t('Password'))],
  accountPages: {
    // Changes the password, or sets the first one: an account created through a provider has none.
    '/ui/account/password': {
      section: 'access',
      order: 1,
      title: () => t('Password'),
      state: async (visit) => ((await hasPassword(visit)) ? t('Set') : t('Not set')),
      content: async (visit) => {
        const isChange = await hasPassword(visit);
        const owner = ownerField(visit.caller.user);
        const fields = [owner, ...(isChange ? [current] : []), next(visit)];
        const submit = isChange ? t('Change the password') : t('Set the new password');
        return form(visit, { name: 'change', fields, submit });
      },
      forms: {
        change: {
          submits: 'POST /change-password',
          input: (fields) => ({ currentPassword: '', ...fields }),
          done: t('Your password was changed. Sessions in other browsers have ended.'),
        },
      },
    },
  },
  pages: {
    // Requests the mail. The response is the same whether or not there is such an account.
    '/ui/forgot-password': {
      title: () => t('Reset your password'),
      content: (visit) => html`
<p>${t('Enter your email address. We will email you a link to choose a new password.')}</p>
${form(visit, { name: 'forgot', fields: [emailField], submit: t('Email me a link') })}
${otherWays(visit)}`,
      forms: {
        forgot: {
          submits: 'POST /forgot-password',
          next: (visit, _result, { email = '' }) => carryTo(visit, '/ui/reset-password', { email }),
        },
      },
    },
    // Where the mail leads: a cookie keeps the token until the password is chosen. An expired one is reported at once.
    '/ui/reset-password': {
      takesTokenFrom: '/ui/forgot-password',
      title: ({ carried }) => t(carried?.email ? 'Check your inbox' : 'New password'),
      content: async (visit) => {
        const { services, carried } = visit;
        if (!carried?.token) {
          return html`${sentNotice(visit, t('If there is an account with this address, an email is on its way. Its link works for an hour.'))}
${otherWays(visit)}`;
        }
        const found = await services.oneTimeTokens.find(KIND, carried.token);
        const user = found && (await services.users.findById(found.userId));
        if (!user) throw refuse('INVALID_RESET_TOKEN');
        const fields = [ownerField(user), next(visit)];
        return html`<p><strong>${user.email}</strong></p>
${form(visit, { name: 'reset', fields, submit: t('Set the new password') })}`;
      },
      forms: {
        reset: {
          submits: 'POST /reset-password',
          done: t('Your password was changed, and all your sessions have ended.'),
        },
      },
    },
  },
};
