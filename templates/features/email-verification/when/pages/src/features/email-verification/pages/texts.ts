import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { emailVerification } from '../feature.js';

export const texts = defineTexts({
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
  send: { en: 'Mail me a link', de: 'Link zuschicken' },
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
    en: 'It was used already, or is too old. Signing in tells you whether you need another one.',
    de: 'Er wurde schon benutzt oder ist zu alt. Wenn Sie sich anmelden, sehen Sie, ob Sie einen neuen brauchen.',
  },
  onward: { en: 'Continue', de: 'Weiter' },
});

export const errorTexts: ErrorTextsOf<typeof emailVerification> = {
  de: {
    ALREADY_VERIFIED: 'Die Adresse ist schon bestätigt.',
    INVALID_VERIFICATION_TOKEN: 'Dieser Link ist nicht mehr gültig.',
    EMAIL_NOT_VERIFIED:
      'Bestätigen Sie zuerst Ihre Adresse: Öffnen Sie den Link, den wir Ihnen geschickt haben.',
    EMAIL_VERIFICATION_REQUIRED:
      'Die Frist zum Bestätigen Ihrer Adresse ist abgelaufen. Öffnen Sie den Link, den wir Ihnen geschickt haben.',
  },
};
