import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { emailVerification } from '../feature.js';

export const texts = defineTexts({
  en: {
    verify: 'Confirm your address',
    toDo: 'Not confirmed yet',
    mailed: 'We have mailed you a link. Open it in this browser to confirm your address.',
    verifyText: 'We mail you a link. Opened in this browser, it shows that this address is yours:',
    send: 'Mail me a link',
    sent: 'A mail is on its way. Open its link in this browser within one day.',
    verified: 'Your address is confirmed',
    verifiedText: 'Thank you. There is nothing more to do.',
    failed: 'This link is no longer valid',
    failedText:
      'It was used already, or is too old. Signing in tells you whether you need another one.',
    onward: 'Continue',
  },
  de: {
    verify: 'Adresse bestätigen',
    toDo: 'Noch nicht bestätigt',
    mailed:
      'Wir haben Ihnen einen Link geschickt. Öffnen Sie ihn in diesem Browser, um Ihre Adresse zu bestätigen.',
    verifyText:
      'Wir schicken Ihnen einen Link. In diesem Browser geöffnet, bestätigt er, dass diese Adresse Ihnen gehört:',
    send: 'Link zuschicken',
    sent: 'Eine E-Mail ist unterwegs. Öffnen Sie ihren Link innerhalb eines Tages in diesem Browser.',
    verified: 'Ihre Adresse ist bestätigt',
    verifiedText: 'Danke. Mehr ist nicht zu tun.',
    failed: 'Dieser Link ist nicht mehr gültig',
    failedText:
      'Er wurde schon benutzt oder ist zu alt. Wenn Sie sich anmelden, sehen Sie, ob Sie einen neuen brauchen.',
    onward: 'Weiter',
  },
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
