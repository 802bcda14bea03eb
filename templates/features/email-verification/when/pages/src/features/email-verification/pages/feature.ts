import { defineFeature } from '../../../feature.js';
import type { HttpError } from '../../../http/errors.js';
import { type HtmlValue, html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { AccountPage, Page } from '../../pages/page.js';
import { pagesTexts } from '../../pages/texts.js';
import { destinationOf, pathTo, type SignedIn, type Visit } from '../../pages/visit.js';
import { currentSetting } from '../../settings/feature.js';
import type { emailVerification } from '../feature.js';

const texts = defineTexts({
  verify: { en: 'Confirm your address', de: 'Adresse bestätigen' },
  toDo: { en: 'Not confirmed yet', de: 'Noch nicht bestätigt' },
  mailed: {
    en: 'We have mailed you a link. Open it in this browser to confirm your address.',
    de: 'Wir haben Ihnen einen Link geschickt. Öffnen Sie ihn in diesem Browser, um Ihre Adresse zu bestätigen.',
  },
  verifyText: {
    en: 'We mail you a link. Opened in this browser, it shows that this address is yours:',
    de: 'Wir schicken Ihnen einen Link. In diesem Browser geöffnet, bestätigt er, dass diese Adresse Ihnen gehört:',
  },
  sent: {
    en: 'A mail is on its way. Open its link in this browser within one day.',
    de: 'Eine E-Mail ist unterwegs. Öffnen Sie ihren Link innerhalb eines Tages in diesem Browser.',
  },
  verified: { en: 'Your address is confirmed', de: 'Ihre Adresse ist bestätigt' },
  verifiedText: {
    en: 'Thank you. There is nothing more to do.',
    de: 'Danke. Mehr ist nicht zu tun.',
  },
  failed: { en: 'This link is no longer valid', de: 'Dieser Link ist nicht mehr gültig' },
  failedText: {
    en: 'It was already used, or is too old. Signing in tells you whether you need another one.',
    de: 'Er wurde schon benutzt oder ist zu alt. Wenn Sie sich anmelden, sehen Sie, ob Sie einen neuen brauchen.',
  },
});

const errorTexts: ErrorTextsOf<typeof emailVerification> = {
  de: {
    ALREADY_VERIFIED: 'Die Adresse ist schon bestätigt.',
    INVALID_VERIFICATION_TOKEN: 'Dieser Link ist nicht mehr gültig.',
    EMAIL_NOT_VERIFIED:
      'Bestätigen Sie zuerst Ihre Adresse: Öffnen Sie den Link, den wir Ihnen geschickt haben.',
    EMAIL_VERIFICATION_REQUIRED:
      'Die Frist zum Bestätigen Ihrer Adresse ist abgelaufen. Öffnen Sie den Link, den wir Ihnen geschickt haben.',
  },
};

/** Where the link of the mail leads once it has been accepted or refused. */
const emailVerifiedPage: Page = {
  path: '/ui/email-verified',
  title: ({ query }) => texts[query.has('error') ? 'failed' : 'verified'],
  content: (
    visit,
  ) => html`<p>${visit.query.has('error') ? texts.failedText : texts.verifiedText}</p>
<p><a class="button primary" href="${destinationOf(visit)}">${pagesTexts.goOn}</a></p>`,
};

const isProven = ({ caller }: SignedIn) => caller.user.emailProvenAt !== null;

/** Mails the link again while the address is unproven. */
const verifyPage: AccountPage = {
  path: '/ui/account/verify-email',
  section: 'about',
  order: 2,
  title: () => texts.verify,
  state: (visit) => (isProven(visit) ? undefined : texts.toDo),
  elsewhere: (visit) => (isProven(visit) ? pathTo(visit, '/ui/account') : undefined),
  content: (visit) => html`<p>${texts.verifyText} <strong>${visit.caller.user.email}</strong></p>
${form(visit, { name: 'send', submit: pagesTexts.mailLink })}`,
  forms: {
    send: { submits: 'POST /send-verification-email', done: texts.sent },
  },
};

/** A signed-in user who must confirm their address first can have the link mailed. */
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
