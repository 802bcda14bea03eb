import { defineFeature } from '../../../feature.js';
import type { HttpError } from '../../../http/errors.js';
import { type HtmlValue, html } from '../../../http/html.js';
import type { AccountPage } from '../../pages/account.js';
import { form } from '../../pages/form.js';
import { inLanguage, type Page } from '../../pages/page.js';
import { destinationOf, pathTo } from '../../pages/paths.js';
import type { SignedIn, Visit } from '../../pages/visit.js';
import { currentSetting } from '../../settings/settings.js';
import { errorTexts, texts } from './texts.js';

/** Where the link of the mail leads once it has been taken, or refused. */
const emailVerifiedPage: Page = {
  path: '/ui/email-verified',
  title: ({ query }) => texts[query.has('error') ? 'failed' : 'verified'],
  content: (
    visit,
  ) => html`<p>${visit.query.has('error') ? texts.failedText : texts.verifiedText}</p>
<p><a class="button primary" href="${destinationOf(visit)}">${texts.onward}</a></p>`,
};

const isProven = ({ caller }: SignedIn) => caller.user.emailProvenAt !== null;

/** Mails the link once more, while there is something to prove. */
const verifyPage: AccountPage = {
  path: '/ui/account/verify-email',
  section: 'about',
  order: 2,
  title: () => texts.verify,
  state: (visit) => (isProven(visit) ? undefined : texts.toDo),
  elsewhere: (visit) => (isProven(visit) ? pathTo(visit, '/ui/account') : undefined),
  done: { send: texts.sent },
  content: (visit) => html`<p>${texts.verifyText} <strong>${visit.caller.user.email}</strong></p>
${form(visit, { name: 'send', submit: texts.send })}`,
  forms: { send: { submits: 'POST /send-verification-email', input: inLanguage } },
};

/** Whoever is signed in, and may not go on before their address is confirmed, can have the link mailed. */
function afterRefusal(visit: Visit, { code }: HttpError): string | undefined {
  const isMissing = code === 'EMAIL_NOT_VERIFIED' && visit.caller !== undefined;
  return isMissing ? pathTo(visit, verifyPage.path) : undefined;
}

async function registerNotice({ services }: Visit): Promise<HtmlValue> {
  const mode = await currentSetting(services, 'emailVerificationMode');
  return mode !== 'none' && html`<p class="notice good">${texts.mailed}</p>`;
}

export const emailVerificationPages = defineFeature({
  accountPages: [verifyPage],
  afterRefusal,
  registerNotice,
  errorTexts,
  pages: [emailVerifiedPage],
});
