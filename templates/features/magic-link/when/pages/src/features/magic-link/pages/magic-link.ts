import { html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import { goOnSignedIn } from '../../pages/login.js';
import { page } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';
import { pagesTexts } from '../../pages/texts.js';
import { texts } from './texts.js';

/** Where the mail leads. The link signs in by a click on this page, so that a scanner that opens it signs nobody in. */
export const magicLinkPage = page({
  path: '/ui/magic-link',
  takesToken: true,
  title: ({ language, carried }) => (carried ? texts[language].title : texts[language].sentTitle),
  content: (visit) => {
    const t = texts[visit.language];
    const opened = html`<p>${t.text}</p>
${form(visit, { name: 'verify', submit: pagesTexts[visit.language].signIn })}`;
    const sent = html`<p class="notice good" role="status">${t.sent}</p>`;
    return html`${visit.carried ? opened : sent}
<p><a href="${pathTo(visit, '/ui/login')}">${pagesTexts[visit.language].otherWay}</a></p>`;
  },
  forms: {
    verify: { submits: 'POST /magic-link/verify', usesCarried: true, next: goOnSignedIn },
  },
});
