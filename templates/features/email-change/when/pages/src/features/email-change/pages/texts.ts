import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { emailChange } from '../feature.js';

export const texts = defineTexts({
  current: { en: 'Your account has the address', de: 'Ihr Konto hat die Adresse' },
  newEmail: { en: 'New email address', de: 'Neue E-Mail-Adresse' },
  changeText: {
    en: 'We will mail you a link there. Until you open it, nothing changes.',
    de: 'Wir schicken einen Link dorthin. Bis Sie ihn öffnen, ändert sich nichts.',
  },
  send: { en: 'Mail me the link', de: 'Link zuschicken' },
  sent: {
    en: 'A mail is on its way to the new address. Its link works for one hour.',
    de: 'Eine E-Mail ist an die neue Adresse unterwegs. Ihr Link gilt eine Stunde.',
  },
  title: { en: 'Confirm your new address', de: 'Neue Adresse bestätigen' },
  text: {
    en: 'One click, and your account has this address. Your other sessions will end.',
    de: 'Ein Klick, und Ihr Konto hat diese Adresse. Ihre anderen Sitzungen enden.',
  },
  confirm: { en: 'Use this address', de: 'Diese Adresse verwenden' },
  done: { en: 'Your account has its new address.', de: 'Ihr Konto hat seine neue Adresse.' },
  onward: { en: 'To your account', de: 'Zu Ihrem Konto' },
});

export const errorTexts: ErrorTextsOf<typeof emailChange> = {
  de: {
    INVALID_EMAIL_CHANGE_TOKEN: 'Dieser Link ist nicht mehr gültig.',
    EMAIL_IN_USE: 'Es gibt schon ein Konto mit dieser Adresse.',
  },
};
