import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { emailField, type Field, form } from '../../pages/form.js';
import { defineTexts, type ErrorTextsOf, type Text } from '../../pages/language.js';
import { goOnSignedIn, type SignInWay } from '../../pages/login.js';
import type { AccountPage, Page } from '../../pages/page.js';
import type { ProofField } from '../../pages/refusal.js';
import { pagesTexts } from '../../pages/texts.js';
import { pathTo, type SignedIn } from '../../pages/visit.js';
import type { password } from '../feature.js';

const texts = defineTexts({
  current: { en: 'Current password', de: 'Aktuelles Passwort' },
  isSet: { en: 'Set', de: 'Festgelegt' },
  isNotSet: { en: 'Not set', de: 'Nicht festgelegt' },
  changeIt: { en: 'Change the password', de: 'Passwort ändern' },
  changed: {
    en: 'Your password is changed, and your other sessions have ended.',
    de: 'Ihr Passwort ist geändert, und Ihre anderen Sitzungen sind beendet.',
  },
  password: { en: 'Password', de: 'Passwort' },
  newPassword: { en: 'New password', de: 'Neues Passwort' },
  forgot: { en: 'Forgot your password?', de: 'Passwort vergessen?' },
  forgotTitle: { en: 'Reset your password', de: 'Passwort zurücksetzen' },
  forgotText: {
    en: 'Tell us your email address. We will mail you a link to choose a new password.',
    de: 'Geben Sie Ihre E-Mail-Adresse ein. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  },
  resetSent: {
    en: 'If there is an account with this address, a mail is on its way. Its link works for one hour.',
    de: 'Falls es ein Konto mit dieser Adresse gibt, ist eine E-Mail unterwegs. Ihr Link gilt eine Stunde.',
  },
  resetTitle: { en: 'Choose a new password', de: 'Neues Passwort wählen' },
  setPassword: { en: 'Set the new password', de: 'Neues Passwort festlegen' },
});

const errorTexts: ErrorTextsOf<typeof password> = {
  en: {
    'Use at most # bytes.': 'Too long: # letters or digits at most; others count as several.',
  },
  de: {
    INVALID_CREDENTIALS: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    INVALID_CURRENT_PASSWORD: 'Das aktuelle Passwort ist falsch.',
    'A password is needed.': 'Geben Sie ein Passwort ein.',
    'Use at most # bytes.':
      'Zu lang: höchstens # Buchstaben oder Ziffern; andere Zeichen zählen mehrfach.',
    INVALID_RESET_TOKEN: 'Dieser Link ist nicht mehr gültig.',
  },
};

/** A field for the account's current password, or for a new one. */
function passwordField(kind: 'current' | 'new', name: string, label: Text): Field {
  return { name, label, type: 'password', autocomplete: `${kind}-password` };
}

const signInWay: SignInWay = {
  name: 'password',
  label: pagesTexts.signIn,
  fields: [{ ...passwordField('current', 'password', texts.password), isOptional: true }],
  aside: (visit) =>
    html`<p><a href="${pathTo(visit, '/ui/forgot-password')}">${texts.forgot}</a></p>`,
  form: { submits: 'POST /login', next: goOnSignedIn },
};

const proofField: ProofField = {
  refuses: 'INVALID_CURRENT_PASSWORD',
  isSet: async ({ password }, userId) => (await password.findHash(userId)) !== undefined,
  field: passwordField('current', 'currentPassword', texts.current),
};

const registerFields: Field[] = [passwordField('new', 'password', texts.password)];

async function hasPassword({ services, caller }: SignedIn): Promise<boolean> {
  return (await services.password.findHash(caller.user.id)) !== undefined;
}

/** Changes the password, or sets the first one: an account that a provider opened has none. */
const changePasswordPage: AccountPage = {
  path: '/ui/account/password',
  section: 'access',
  order: 1,
  title: () => texts.password,
  state: async (visit) => ((await hasPassword(visit)) ? texts.isSet : texts.isNotSet),
  content: async (visit) => {
    const isChange = await hasPassword(visit);
    const next = passwordField('new', 'newPassword', texts.newPassword);
    // It tells password managers whose password this is; without a name it is not sent.
    const owner = html`<input type="text" autocomplete="username" value="${visit.caller.user.email}" hidden>`;
    const fields = isChange ? [owner, proofField.field, next] : [owner, next];
    return form(visit, {
      name: 'change',
      fields,
      submit: isChange ? texts.changeIt : texts.setPassword,
    });
  },
  forms: {
    change: {
      submits: 'POST /change-password',
      input: (fields) => ({ currentPassword: '', ...fields }),
      done: texts.changed,
    },
  },
};

/** Requests the mail. The response is the same whether or not there is such an account. */
const forgotPasswordPage: Page = {
  path: '/ui/forgot-password',
  title: () => texts.forgotTitle,
  content: (visit) => {
    const asked = html`<p>${texts.forgotText}</p>
${form(visit, { name: 'forgot', fields: [emailField], submit: pagesTexts.mailLink })}`;
    return html`${!visit.query.has('done') && asked}
<footer><a href="${pathTo(visit, '/ui/login')}">${pagesTexts.toSignIn}</a></footer>`;
  },
  forms: {
    forgot: { submits: 'POST /forgot-password', done: texts.resetSent },
  },
};

/** Where the mail leads: the token waits in a cookie until the new password is chosen. */
const resetPasswordPage: Page = {
  path: '/ui/reset-password',
  takesToken: true,
  title: () => texts.resetTitle,
  content: (visit) => {
    if (visit.query.get('done')) {
      return html`<p><a class="button primary" href="${pathTo(visit, '/ui/login')}">${pagesTexts.signIn}</a></p>`;
    }
    if (!visit.carried) {
      return html`${!visit.refusal && html`<p>${pagesTexts.openLink}</p>`}
<p><a class="button primary" href="${pathTo(visit, '/ui/forgot-password')}">${pagesTexts.mailLink}</a></p>`;
    }
    const fields = [passwordField('new', 'newPassword', texts.newPassword)];
    return form(visit, { name: 'reset', fields, submit: texts.setPassword });
  },
  forms: {
    reset: { submits: 'POST /reset-password', usesCarried: true, done: texts.changed },
  },
};

export const passwordPages = defineFeature({
  accountPages: [changePasswordPage],
  errorTexts,
  proofField,
  signInWay,
  registerFields,
  pages: [forgotPasswordPage, resetPasswordPage],
});
