import { html } from '../../../http/html.js';
import type { AccountPage } from '../../pages/account.js';
import { form } from '../../pages/form.js';
import type { SignedIn } from '../../pages/visit.js';
import { currentPassword, newPassword } from './fields.js';
import { texts } from './texts.js';

async function hasPassword({ services, caller }: SignedIn): Promise<boolean> {
  return (await services.password.findHash(caller.user.id)) !== undefined;
}

/** Changes the password, or sets the first one: an account that a provider opened has none. */
export const changePasswordPage: AccountPage = {
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
    const current = currentPassword(visit.language, 'currentPassword', t.current);
    const next = newPassword(visit.language, 'newPassword', t.newPassword);
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
