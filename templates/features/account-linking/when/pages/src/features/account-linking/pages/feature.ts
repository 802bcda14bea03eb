import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import { goOnSignedIn } from '../../pages/login.js';
import { inLanguage, type Page } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';
import { pagesTexts } from '../../pages/texts.js';
import { linkedAccountsPage } from './linked-accounts.js';
import { errorTexts, texts } from './texts.js';

/** Where a sign-in at a provider leads whose address has an account already: its owner decides, by a mailed link. */
const conflictPage: Page = {
  path: '/ui/account-conflict',
  title: () => texts.conflict,
  content: (visit) => {
    const email = visit.query.get('email') ?? '';
    const provider = visit.query.get('provider') ?? '';
    if (visit.query.has('done'))
      return html`<p class="notice good" role="status">${texts.sent}</p>`;
    return html`<p>${texts.conflictText} <strong>${email}</strong></p>
${form(visit, { name: 'link', hidden: { email, provider }, submit: texts.send })}
<p class="beside"><a href="${pathTo(visit, '/ui/login')}">${pagesTexts.toSignIn}</a></p>`;
  },
  forms: { link: { submits: 'POST /link-request', input: inLanguage } },
};

/** Where the mail leads: a click links, since a scanner that opens the link must not. */
const linkPage: Page = {
  path: '/ui/link-verify',
  takesToken: true,
  title: () => texts.link,
  content: (visit) => {
    if (!visit.carried) return html`<p>${pagesTexts.openLink}</p>`;
    return html`<p>${texts.linkText}</p>
${form(visit, { name: 'link', submit: visit.caller ? texts.confirmSignedIn : texts.confirm })}`;
  },
  forms: {
    link: {
      submits: 'POST /link-verify',
      usesCarried: true,
      input: ({ caller }) => ({ loginAfterLinking: caller === undefined }),
      next: (visit, result) =>
        visit.caller ? pathTo(visit, linkedAccountsPage.path) : goOnSignedIn(visit, result),
    },
  },
};

export const accountLinkingPages = defineFeature({
  accountPages: [linkedAccountsPage],
  errorTexts,
  pages: [conflictPage, linkPage],
});
