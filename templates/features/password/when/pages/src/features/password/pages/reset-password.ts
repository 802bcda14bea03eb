import { html } from '../../../http/html.js';
import { emailField } from '../../pages/field.js';
import { form } from '../../pages/form.js';
import { inLanguage, page } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';
import { pagesTexts } from '../../pages/texts.js';
import { newPassword } from './fields.js';
import { texts } from './texts.js';

/** Asks for the mail. It says the same whether or not there is such an account. */
export const forgotPasswordPage = page({
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
});

/** Where the mail leads: the token waits in a cookie until the new password is chosen. */
export const resetPasswordPage = page({
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
    const fields = [newPassword(visit.language, 'newPassword', t.newPassword)];
    return html`${form(visit, { name: 'reset', fields, submit: t.setPassword })}
${visit.refusal && !visit.refusal.errors.newPassword && withoutLink}`;
  },
  forms: { reset: { submits: 'POST /reset-password', usesCarried: true } },
});
