import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import type { AccountPage } from '../../pages/account.js';
import { emailField, type Field, form } from '../../pages/form.js';
import type { Text } from '../../pages/language.js';
import { goOnSignedIn, type SignInWay } from '../../pages/login.js';
import { inLanguage, type Page } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';
import type { ProofField } from '../../pages/refusal.js';
import { pagesTexts } from '../../pages/texts.js';
import type { SignedIn } from '../../pages/visit.js';
import { errorTexts, texts } from './texts.js';

/** The password that an account has. */
function currentPassword(name: string, label: Text): Field {
  return { name, label, type: 'password', autocomplete: 'current-password' };
}

/** A password that is being chosen. */
function newPassword(name: string, label: Text): Field {
  return { name, label, type: 'password', autocomplete: 'new-password' };
}

const signInWay: SignInWay = {
  name: 'password',
  label: pagesTexts.signIn,
  fields: [{ ...currentPassword('password', texts.password), isOptional: true }],
  aside: (visit) =>
    html`<p><a href="${pathTo(visit, '/ui/forgot-password')}">${texts.forgot}</a></p>`,
  form: { submits: 'POST /login', next: goOnSignedIn },
};

const proofField: ProofField = {
  refuses: 'INVALID_CURRENT_PASSWORD',
  isSet: async ({ password }, userId) => (await password.findHash(userId)) !== undefined,
  field: currentPassword('currentPassword', texts.current),
};

const registerFields: Field[] = [newPassword('password', texts.password)];

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
  done: { change: texts.changed },
  content: async (visit) => {
    const isChange = await hasPassword(visit);
    const current = currentPassword('currentPassword', texts.current);
    const next = newPassword('newPassword', texts.newPassword);
    // By it password managers know whose password this is; without a name it is not sent.
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
      input: (_visit, { currentPassword = '' }) => ({ currentPassword }),
    },
  },
};

/** Asks for the mail. It says the same whether or not there is such an account. */
const forgotPasswordPage: Page = {
  path: '/ui/forgot-password',
  title: () => texts.forgotTitle,
  content: (visit) => {
    const asked = html`<p>${texts.forgotText}</p>
${form(visit, { name: 'forgot', fields: [emailField], submit: texts.sendReset })}`;
    const sent = html`<p class="notice good" role="status">${texts.resetSent}</p>`;
    return html`${visit.query.has('done') ? sent : asked}
<p class="beside"><a href="${pathTo(visit, '/ui/login')}">${pagesTexts.toSignIn}</a></p>`;
  },
  forms: { forgot: { submits: 'POST /forgot-password', input: inLanguage } },
};

/** Where the mail leads: the token waits in a cookie until the new password is chosen. */
const resetPasswordPage: Page = {
  path: '/ui/reset-password',
  takesToken: true,
  title: () => texts.resetTitle,
  content: (visit) => {
    if (visit.query.get('done')) {
      return html`<p class="notice good" role="status">${texts.resetDone}</p>
<p><a class="button primary" href="${pathTo(visit, '/ui/login')}">${pagesTexts.signIn}</a></p>`;
    }
    const withoutLink = html`<p>${texts.resetWithoutLink}</p>
<p><a class="button primary" href="${pathTo(visit, '/ui/forgot-password')}">${texts.sendReset}</a></p>`;
    if (!visit.carried) return withoutLink;
    const fields = [newPassword('newPassword', texts.newPassword)];
    return html`${form(visit, { name: 'reset', fields, submit: texts.setPassword })}
${visit.refusal && !visit.refusal.errors.newPassword && withoutLink}`;
  },
  forms: { reset: { submits: 'POST /reset-password', usesCarried: true } },
};

export const passwordPages = defineFeature({
  accountPages: [changePasswordPage],
  errorTexts,
  proofField,
  signInWay,
  registerFields,
  pages: [forgotPasswordPage, resetPasswordPage],
});
