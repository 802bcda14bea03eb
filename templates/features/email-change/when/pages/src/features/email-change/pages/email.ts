import { html } from '../../../http/html.js';
import type { AccountPage } from '../../pages/account.js';
import { emailField } from '../../pages/field.js';
import { form } from '../../pages/form.js';
import { inLanguage } from '../../pages/page.js';
import { pagesTexts } from '../../pages/texts.js';
import { texts } from './texts.js';

/** Moves the account to another address, once the link that is mailed there was opened. */
export const emailPage: AccountPage = {
  path: '/ui/account/email',
  section: 'about',
  order: 1,
  title: ({ language }) => pagesTexts[language].email,
  state: ({ caller }) => caller.user.email,
  done: ({ language }) => ({ change: texts[language].sent }),
  content: (visit) => {
    const t = texts[visit.language];
    const field = {
      ...emailField(visit),
      name: 'newEmail',
      label: t.newEmail,
      hint: t.changeText,
      autocomplete: 'email',
    };
    return html`<p>${t.current} <strong>${visit.caller.user.email}</strong></p>
${form(visit, { name: 'change', fields: [field], submit: t.send })}`;
  },
  forms: { change: { submits: 'POST /change-email/request', input: inLanguage } },
};
