import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { emailChange } from '../feature.js';

export const texts = defineTexts({
  en: {
    current: 'Your account has the address',
    newEmail: 'New email address',
    changeText: 'We will mail you a link there. Until you open it, nothing changes.',
    send: 'Mail me the link',
    sent: 'A mail is on its way to the new address. Its link works for one hour.',
    title: 'Confirm your new address',
    text: 'One click, and your account has this address. Your other sessions will end.',
    confirm: 'Use this address',
    done: 'Your account has its new address.',
    onward: 'To your account',
  },
  de: {
    current: 'Ihr Konto hat die Adresse',
    newEmail: 'Neue E-Mail-Adresse',
    changeText: 'Wir schicken einen Link dorthin. Bis Sie ihn öffnen, ändert sich nichts.',
    send: 'Link zuschicken',
    sent: 'Eine E-Mail ist an die neue Adresse unterwegs. Ihr Link gilt eine Stunde.',
    title: 'Neue Adresse bestätigen',
    text: 'Ein Klick, und Ihr Konto hat diese Adresse. Ihre anderen Sitzungen enden.',
    confirm: 'Diese Adresse verwenden',
    done: 'Ihr Konto hat seine neue Adresse.',
    onward: 'Zu Ihrem Konto',
  },
});

export const errorTexts: ErrorTextsOf<typeof emailChange> = {
  de: {
    INVALID_EMAIL_CHANGE_TOKEN: 'Dieser Link ist nicht mehr gültig.',
    EMAIL_IN_USE: 'Es gibt schon ein Konto mit dieser Adresse.',
  },
};
