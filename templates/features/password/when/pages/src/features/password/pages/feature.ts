import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { emailField, type Field, form } from '../../pages/form.js';
import type { Text } from '../../pages/language.js';
import { goOnSignedIn, type SignInWay } from '../../pages/login.js';
import type { AccountPage, Page } from '../../pages/page.js';
import type { ProofField } from '../../pages/refusal.js';
import { pagesTexts } from '../../pages/texts.js';
import { pathTo, type SignedIn } from '../../pages/visit.js';
import { errorTexts, texts } from './texts.js';

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
    const current = passwordField('current', 'currentPassword', texts.current);
    const next = passwordField('new', 'newPassword', texts.newPassword);
    // It tells password managers whose password this is; without a name it is not sent.
    const owner = html`<input type="text" autocomplete="username" value="${visit.caller.user.email}" hidden>`;
    const fields = isChange ? [owner, current, next] : [owner, next];
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
    const withoutLink = html`<p>${texts.resetWithoutLink}</p>
<p><a class="button primary" href="${pathTo(visit, '/ui/forgot-password')}">${pagesTexts.mailLink}</a></p>`;
    if (!visit.carried) return withoutLink;
    const fields = [passwordField('new', 'newPassword', texts.newPassword)];
    return html`${form(visit, { name: 'reset', fields, submit: texts.setPassword })}
${visit.refusal && !visit.refusal.errors.newPassword && withoutLink}`;
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
