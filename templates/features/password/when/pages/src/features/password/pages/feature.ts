import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import type { AccountPage } from '../../pages/account.js';
import { emailField, type Field } from '../../pages/field.js';
import { form } from '../../pages/form.js';
import { goOnSignedIn, type SignInWay } from '../../pages/login.js';
import { inLanguage, type Page } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';
import type { ProofField } from '../../pages/refusal.js';
import { pagesTexts } from '../../pages/texts.js';
import type { SignedIn, Visit } from '../../pages/visit.js';
import { errorTexts, texts } from './texts.js';

/** The password that an account has. */
function currentPassword(name: string, label: string): Field {
  return { name, label, type: 'password', autocomplete: 'current-password' };
}

/** A password that is being chosen. */
function newPassword(name: string, label: string): Field {
  return { name, label, type: 'password', autocomplete: 'new-password' };
}

const signInWay: SignInWay = {
  name: 'password',
  label: ({ language }) => pagesTexts[language].signIn,
  fields: ({ language }) => [
    { ...currentPassword('password', texts[language].password), isOptional: true },
  ],
  aside: (visit) =>
    html`<p><a href="${pathTo(visit, '/ui/forgot-password')}">${texts[visit.language].forgot}</a></p>`,
  form: { submits: 'POST /login', next: goOnSignedIn },
};

const proofField: ProofField = {
  refuses: 'INVALID_CURRENT_PASSWORD',
  isSet: async ({ password }, userId) => (await password.findHash(userId)) !== undefined,
  field: (language) => currentPassword('currentPassword', texts[language].current),
};

const registerFields = ({ language }: Visit): Field[] => [
  newPassword('password', texts[language].password),
];

async function hasPassword({ services, caller }: SignedIn): Promise<boolean> {
  return (await services.password.findHash(caller.user.id)) !== undefined;
}

/** Changes the password, or sets the first one: an account that a provider opened has none. */
const changePasswordPage: AccountPage = {
  path: '/ui/account/password',
  section: 'access',
  order: 1,
  title: ({ language }) => texts[language].password,
  state: async (visit) => {
    const t = texts[visit.language];
    return (await hasPassword(visit)) ? t.isSet : t.isNotSet;
  },
  done: ({ language }) => ({ change: texts[language].changed }),
  content: async (visit) => {
    const t = texts[visit.language];
    const isChange = await hasPassword(visit);
    const current = currentPassword('currentPassword', t.current);
    const next = newPassword('newPassword', t.newPassword);
    // By it password managers know whose password this is; without a name it is not sent.
    const owner = html`<input type="text" autocomplete="username" value="${visit.caller.user.email}" hidden>`;
    const fields = isChange ? [owner, current, next] : [owner, next];
    return form(visit, { name: 'change', fields, submit: isChange ? t.changeIt : t.setPassword });
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
  title: ({ language }) => texts[language].forgotTitle,
  content: (visit) => {
    const t = texts[visit.language];
    const asked = html`<p>${t.forgotText}</p>
${form(visit, { name: 'forgot', fields: [emailField(visit)], submit: t.sendReset })}`;
    const sent = html`<p class="notice good" role="status">${t.resetSent}</p>`;
    return html`${visit.query.has('done') ? sent : asked}
<p class="beside"><a href="${pathTo(visit, '/ui/login')}">${pagesTexts[visit.language].toSignIn}</a></p>`;
  },
  forms: { forgot: { submits: 'POST /forgot-password', input: inLanguage } },
};

/** Where the mail leads: the token waits in a cookie until the new password is chosen. */
const resetPasswordPage: Page = {
  path: '/ui/reset-password',
  takesToken: true,
  title: ({ language }) => texts[language].resetTitle,
  content: (visit) => {
    const t = texts[visit.language];
    if (visit.query.get('done')) {
      return html`<p class="notice good" role="status">${t.resetDone}</p>
<p><a class="button primary" href="${pathTo(visit, '/ui/login')}">${pagesTexts[visit.language].signIn}</a></p>`;
    }
    const withoutLink = html`<p>${t.resetWithoutLink}</p>
<p><a class="button primary" href="${pathTo(visit, '/ui/forgot-password')}">${t.sendReset}</a></p>`;
    if (!visit.carried) return withoutLink;
    const fields = [newPassword('newPassword', t.newPassword)];
    return html`${form(visit, { name: 'reset', fields, submit: t.setPassword })}
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
