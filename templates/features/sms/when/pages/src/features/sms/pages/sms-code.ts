import { html } from '../../../http/html.js';
import { codeField } from '../../pages/field.js';
import { form } from '../../pages/form.js';
import { goOnSignedIn } from '../../pages/login.js';
import { page } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';
import { pagesTexts } from '../../pages/texts.js';
import { texts } from './texts.js';

/** Takes the texted code; who asked for it waits in a cookie. */
export const smsCodePage = page({
  path: '/ui/sms',
  title: ({ language }) => texts[language].title,
  elsewhere: (visit) => (visit.carried ? undefined : pathTo(visit, '/ui/login')),
  content: (visit) => {
    const t = texts[visit.language];
    return html`<p class="notice good" role="status">${t.sent}</p>
${form(visit, { name: 'verify', fields: [codeField('code', t.code)], submit: pagesTexts[visit.language].signIn })}
<p><a href="${pathTo(visit, '/ui/login')}">${pagesTexts[visit.language].otherWay}</a></p>`;
  },
  forms: {
    verify: {
      submits: 'POST /sms/verify',
      usesCarried: true,
      beside: { INVALID_SMS_CODE: 'code' },
      next: goOnSignedIn,
    },
  },
});
