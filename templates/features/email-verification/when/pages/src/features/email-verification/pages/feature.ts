import type { FeatureParts } from '../../../feature.js';
import { readSessionCookie } from '../../../http/cookies.js';
import { html, type Text } from '../../../http/html.js';
import { form, linkButton } from '../../pages/form.js';
import { type TextsOf, translator } from '../../pages/language.js';
import { otherWays, sentNotice } from '../../pages/login.js';
import type { Form } from '../../pages/page.js';
import { carryTo, destinationOf, pathTo, type Visit } from '../../pages/visit.js';
import { currentSetting } from '../../settings/feature.js';
import type { emailVerification } from '../feature.js';

const t = translator({
  en: {
    EMAIL_NOT_VERIFIED:
      'Confirm your email address first: open the link that was emailed to you. No email? Sign in again after a minute, and we will email you another link.',
  },
  de: {
    'Confirm your email address': 'Adresse bestätigen',
    'Not confirmed yet': 'Noch nicht bestätigt',
    'Not confirmed in this browser yet': 'In diesem Browser noch nicht bestätigt',
    'An email is on its way. Open its link in this browser within a day.':
      'Eine E-Mail ist unterwegs. Öffnen Sie den Link darin innerhalb eines Tages in diesem Browser.',
    'We will email you a link. Opened in this browser, it shows that this address is yours:':
      'Wir schicken Ihnen einen Link. In diesem Browser geöffnet, bestätigt er, dass diese Adresse Ihnen gehört:',
    'Your email address is confirmed': 'Ihre Adresse ist bestätigt',
    'Thank you. There is nothing more to do.': 'Danke. Sie müssen nichts weiter tun.',
    'Sign in to continue.': 'Melden Sie sich an, um weiterzumachen.',
    'Sign in to continue. If you are asked to confirm it again, open the new link in the browser that asks.':
      'Melden Sie sich an, um weiterzumachen. Werden Sie noch einmal um Bestätigung gebeten, öffnen Sie den neuen Link in dem Browser, der darum bittet.',
    'Confirm your email address to continue.': 'Bestätigen Sie Ihre Adresse, bevor es weitergeht.',
    'Confirm your email address first. We will email you a link: open it in this browser, then sign in again.':
      'Bestätigen Sie zuerst Ihre Adresse. Wir schicken Ihnen einen Link: Öffnen Sie ihn in diesem Browser, und melden Sie sich dann neu an.',
    'This link is no longer valid': 'Dieser Link ist nicht mehr gültig',
    'It has already been used or has expired. Sign in to see whether you need another.':
      'Er wurde schon benutzt oder ist zu alt. Melden Sie sich an, um zu sehen, ob Sie einen neuen brauchen.',
    ALREADY_VERIFIED: 'Die Adresse ist schon bestätigt.',
    INVALID_VERIFICATION_TOKEN: 'Dieser Link ist nicht mehr gültig.',
    EMAIL_NOT_VERIFIED:
      'Bestätigen Sie zuerst Ihre Adresse: Öffnen Sie den Link, den wir Ihnen geschickt haben. Keine E-Mail? Melden Sie sich nach einer Minute noch einmal an, dann schicken wir einen neuen.',
    EMAIL_VERIFICATION_REQUIRED:
      'Die Frist zum Bestätigen Ihrer Adresse ist abgelaufen. Öffnen Sie den Link, den wir Ihnen geschickt haben.',
  },
} satisfies TextsOf<typeof emailVerification>);

const isUnproven = ({ caller }: Visit) => caller?.user.emailProvenAt === null;

function whatIsNext(visit: Visit): Text {
  const { services, request } = visit;
  if (visit.query.has('error'))
    return t('It has already been used or has expired. Sign in to see whether you need another.');
  // Where the account was created, the link has proven the address.
  if (!visit.caller && readSessionCookie(services.config, request, 'newcomer'))
    return t('Sign in to continue.');
  if (!visit.caller)
    return t(
      'Sign in to continue. If you are asked to confirm it again, open the new link in the browser that asks.',
    );
  if (isUnproven(visit)) return t('Open the link from the email in this browser.');
  return t('Thank you. There is nothing more to do.');
}

const onItsWay = t('An email is on its way. Open its link in this browser within a day.');
const mailLink: Form = { submits: 'POST /send-verification-email', done: onItsWay };

export const emailVerificationPages: FeatureParts = {
  texts: t.texts,
  pages: {
    // The mailed link leads here. In a browser that is not the account's, it confirms nothing yet.
    '/ui/email-verified': {
      title: (visit) => {
        if (visit.query.has('error')) return t('This link is no longer valid');
        return t(
          isUnproven(visit) ? 'Confirm your email address' : 'Your email address is confirmed',
        );
      },
      content: (visit) => html`<p>${whatIsNext(visit)}</p>
${linkButton(destinationOf(visit), t('Continue'))}`,
    },
    // Mails the link during a sign-in that first requires a proven address.
    '/ui/confirm-address': {
      title: () => t('Confirm your email address'),
      elsewhere: (visit) => (visit.carried ? undefined : pathTo(visit, '/ui/login')),
      content: (visit) => html`
<p>${t('Confirm your email address first. We will email you a link: open it in this browser, then sign in again.')}</p>
${form(visit, { name: 'send', submit: t('Email me a link') })}
${otherWays(visit)}`,
      forms: { send: { ...mailLink, keepsCarried: true } },
    },
  },
  accountPages: {
    '/ui/account/verify-email': {
      section: 'about',
      order: 2,
      title: () => t('Confirm your email address'),
      state: (visit) => {
        if (!isUnproven(visit)) return undefined;
        const isVerified = visit.caller.user.emailVerifiedAt !== null;
        return t(isVerified ? 'Not confirmed in this browser yet' : 'Not confirmed yet');
      },
      elsewhere: (visit) => (isUnproven(visit) ? undefined : pathTo(visit, '/ui/account')),
      content: (visit) => html`
${visit.query.has('error') && !visit.done && html`<p class="notice">${t('Confirm your email address to continue.')}</p>`}
<p>${t('We will email you a link. Opened in this browser, it shows that this address is yours:')} <strong>${visit.caller.user.email}</strong></p>
${form(visit, { name: 'send', submit: t('Email me a link') })}`,
      forms: { send: mailLink },
    },
  },
  // Whoever must confirm their address first can have the link mailed: if signed in, or with the token of a sign-in.
  afterRefusal: (visit, { code }) => {
    const { caller, carried, guard } = visit;
    if (code !== 'EMAIL_NOT_VERIFIED') return undefined;
    if (caller) return pathTo(visit, '/ui/account/verify-email', { error: code });
    if (!carried?.bearerToken) return undefined;
    const fields = { bearerToken: carried.bearerToken, guard };
    // Where the mailed link is opened, it shows that this is the browser of the sign-in.
    carryTo(visit, '/verify-email', fields);
    return carryTo(visit, '/ui/confirm-address', fields);
  },
  registerNotice: async (visit) => {
    const mode = await currentSetting(visit.services, 'emailVerificationMode');
    if (mode === 'none') return undefined;
    const title = mode === 'strict' ? t('Check your inbox') : undefined;
    return { text: sentNotice(visit, onItsWay), title };
  },
};
