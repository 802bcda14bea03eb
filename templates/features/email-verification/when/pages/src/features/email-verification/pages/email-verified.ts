import { html } from '../../../http/html.js';
import { page } from '../../pages/page.js';
import { destinationOf } from '../../pages/paths.js';
import { texts } from './texts.js';

/** Where the link of the mail leads once it has been taken, or refused. */
export const emailVerifiedPage = page({
  path: '/ui/email-verified',
  title: ({ language, query }) =>
    query.has('error') ? texts[language].failed : texts[language].verified,
  content: (visit) => {
    const t = texts[visit.language];
    const hasFailed = visit.query.has('error');
    return html`<p>${hasFailed ? t.failedText : t.verifiedText}</p>
<p><a class="button primary" href="${destinationOf(visit)}">${t.onward}</a></p>`;
  },
});
