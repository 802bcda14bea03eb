import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { forget } from '../../pages/carried.js';
import { form } from '../../pages/form.js';
import { goOnSignedIn, type SignInWay } from '../../pages/login.js';
import type { Page } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';
import { pagesTexts } from '../../pages/texts.js';
import { errorTexts, texts } from './texts.js';

const signInWay: SignInWay = {
  name: 'magic-link',
  label: texts.mailLink,
  form: {
    submits: 'POST /magic-link/send',
    next: (visit) => {
      // An older link that waits there is not the one that was just mailed.
      visit.cookies.push(forget(visit.services, magicLinkPage.path));
      return pathTo(visit, magicLinkPage.path);
    },
  },
};

/** Where the mail leads. The link signs in by a click on this page, so that a scanner that opens it signs nobody in. */
const magicLinkPage: Page = {
  path: '/ui/magic-link',
  takesToken: true,
  title: ({ carried }) => (carried ? texts.title : texts.sentTitle),
  content: (visit) => {
    const opened = html`<p>${texts.text}</p>
${form(visit, { name: 'verify', submit: pagesTexts.signIn })}`;
    const sent = html`<p class="notice good" role="status">${texts.sent}</p>`;
    return html`${visit.carried ? opened : sent}
<p><a href="${pathTo(visit, '/ui/login')}">${pagesTexts.otherWay}</a></p>`;
  },
  forms: {
    verify: { submits: 'POST /magic-link/verify', usesCarried: true, next: goOnSignedIn },
  },
};

export const magicLinkPages = defineFeature({ errorTexts, signInWay, pages: [magicLinkPage] });
