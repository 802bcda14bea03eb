import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import type { AccountPage } from '../../pages/account.js';
import { emailField, form } from '../../pages/form.js';
import { inLanguage, type Page } from '../../pages/page.js';
import { destinationOf } from '../../pages/paths.js';
import { pagesTexts } from '../../pages/texts.js';
import { errorTexts, texts } from './texts.js';

/** Moves the account to another address, once the link that is mailed there was opened. */
const emailPage: AccountPage = {
  path: '/ui/account/email',
  section: 'about',
  order: 1,
  title: () => pagesTexts.email,
  state: ({ caller }) => caller.user.email,
  done: { change: texts.sent },
  content: (visit) => {
    const field = {
      ...emailField,
      name: 'newEmail',
      label: texts.newEmail,
      hint: texts.changeText,
      autocomplete: 'email',
    };
    return html`<p>${texts.current} <strong>${visit.caller.user.email}</strong></p>
${form(visit, { name: 'change', fields: [field], submit: texts.send })}`;
  },
  forms: { change: { submits: 'POST /change-email/request', input: inLanguage } },
};

/** Where the mail to the new address leads: a click moves the account there. */
const changeEmailPage: Page = {
  path: '/ui/change-email',
  takesToken: true,
  title: () => texts.title,
  content: (visit) => {
    if (visit.query.has('done')) {
      return html`<p class="notice good" role="status">${texts.done}</p>
<p><a class="button primary" href="${destinationOf(visit)}">${texts.onward}</a></p>`;
    }
    if (!visit.carried) return html`<p>${pagesTexts.openLink}</p>`;
    return html`<p>${texts.text}</p>
${form(visit, { name: 'confirm', submit: texts.confirm })}`;
  },
  forms: { confirm: { submits: 'POST /change-email/confirm', usesCarried: true } },
};

export const emailChangePages = defineFeature({
  accountPages: [emailPage],
  errorTexts,
  pages: [changeEmailPage],
});
