import { html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import { page } from '../../pages/page.js';
import { destinationOf } from '../../pages/paths.js';
import { pagesTexts } from '../../pages/texts.js';
import { texts } from './texts.js';

/** Where the mail to the new address leads: a click moves the account there. */
export const changeEmailPage = page({
  path: '/ui/change-email',
  takesToken: true,
  title: ({ language }) => texts[language].title,
  content: (visit) => {
    const t = texts[visit.language];
    if (visit.query.has('done')) {
      return html`<p class="notice good" role="status">${t.done}</p>
<p><a class="button primary" href="${destinationOf(visit)}">${t.onward}</a></p>`;
    }
    if (!visit.carried) return html`<p>${pagesTexts[visit.language].openLink}</p>`;
    return html`<p>${t.text}</p>
${form(visit, { name: 'confirm', submit: t.confirm })}`;
  },
  forms: { confirm: { submits: 'POST /change-email/confirm', usesCarried: true } },
});
