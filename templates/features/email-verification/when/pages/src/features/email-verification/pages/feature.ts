import { defineFeature } from '../../../feature.js';
import type { HttpError } from '../../../http/errors.js';
import { type HtmlValue, html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import type { AccountPage, Page } from '../../pages/page.js';
import { type TextsOf, translator } from '../../pages/texts.js';
import { destinationOf, pathTo, type SignedIn, type Visit } from '../../pages/visit.js';
import { currentSetting } from '../../settings/feature.js';
import type { emailVerification } from '../feature.js';

const texts = {
  de: {
    'Confirm your address': 'Adresse bestätigen',
    'Not confirmed yet': 'Noch nicht bestätigt',
    'We have mailed you a link. Open it in this browser to confirm your address.':
      'Wir haben Ihnen einen Link geschickt. Öffnen Sie ihn in diesem Browser, um Ihre Adresse zu bestätigen.',
    'We mail you a link. Opened in this browser, it shows that this address is yours:':
      'Wir schicken Ihnen einen Link. In diesem Browser geöffnet, bestätigt er, dass diese Adresse Ihnen gehört:',
    'A mail is on its way. Open its link in this browser within one day.':
      'Eine E-Mail ist unterwegs. Öffnen Sie ihren Link innerhalb eines Tages in diesem Browser.',
    'Your address is confirmed': 'Ihre Adresse ist bestätigt',
    'Thank you. There is nothing more to do.': 'Danke. Mehr ist nicht zu tun.',
    'This link is no longer valid': 'Dieser Link ist nicht mehr gültig',
    'It was already used, or is too old. Signing in tells you whether you need another one.':
      'Er wurde schon benutzt oder ist zu alt. Wenn Sie sich anmelden, sehen Sie, ob Sie einen neuen brauchen.',
    ALREADY_VERIFIED: 'Die Adresse ist schon bestätigt.',
    INVALID_VERIFICATION_TOKEN: 'Dieser Link ist nicht mehr gültig.',
    EMAIL_NOT_VERIFIED:
      'Bestätigen Sie zuerst Ihre Adresse: Öffnen Sie den Link, den wir Ihnen geschickt haben.',
    EMAIL_VERIFICATION_REQUIRED:
      'Die Frist zum Bestätigen Ihrer Adresse ist abgelaufen. Öffnen Sie den Link, den wir Ihnen geschickt haben.',
  },
} satisfies TextsOf<typeof emailVerification>;

const t = translator(texts);

/** Where the link of the mail leads once it has been accepted or refused. */
const emailVerifiedPage: Page = {
  path: '/ui/email-verified',
  title: ({ query }) =>
    t(query.has('error') ? 'This link is no longer valid' : 'Your address is confirmed'),
  content: (
    visit,
  ) => html`<p>${visit.query.has('error') ? t('It was already used, or is too old. Signing in tells you whether you need another one.') : t('Thank you. There is nothing more to do.')}</p>
<p><a class="button primary" href="${destinationOf(visit)}">${t('Continue')}</a></p>`,
};

const isProven = ({ caller }: SignedIn) => caller.user.emailProvenAt !== null;

/** Mails the link again while the address is unproven. */
const verifyPage: AccountPage = {
  path: '/ui/account/verify-email',
  section: 'about',
  order: 2,
  title: () => t('Confirm your address'),
  state: (visit) => (isProven(visit) ? undefined : t('Not confirmed yet')),
  elsewhere: (visit) => (isProven(visit) ? pathTo(visit, '/ui/account') : undefined),
  content: (
    visit,
  ) => html`<p>${t('We mail you a link. Opened in this browser, it shows that this address is yours:')} <strong>${visit.caller.user.email}</strong></p>
${form(visit, { name: 'send', submit: t('Mail me a link') })}`,
  forms: {
    send: {
      submits: 'POST /send-verification-email',
      done: t('A mail is on its way. Open its link in this browser within one day.'),
    },
  },
};

/** A signed-in user who must confirm their address first can have the link mailed. */
function afterRefusal(visit: Visit, { code }: HttpError): string | undefined {
  const isMissing = code === 'EMAIL_NOT_VERIFIED' && visit.caller !== undefined;
  return isMissing ? pathTo(visit, verifyPage.path) : undefined;
}

async function registerNotice({ services }: Visit): Promise<HtmlValue> {
  const mode = await currentSetting(services, 'emailVerificationMode');
  return (
    mode !== 'none' &&
    html`<p class="notice good">${t('We have mailed you a link. Open it in this browser to confirm your address.')}</p>`
  );
}

export const emailVerificationPages = defineFeature({
  accountPages: [verifyPage],
  afterRefusal,
  registerNotice,
  texts,
  pages: [emailVerifiedPage],
});
