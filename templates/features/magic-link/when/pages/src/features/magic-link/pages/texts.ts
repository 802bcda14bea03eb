import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { magicLink } from '../feature.js';

export const texts = defineTexts({
  en: {
    mailLink: 'Mail me a link to sign in',
    sentTitle: 'Check your mailbox',
    sent: 'If there is an account with this address, a mail is on its way. Its link works once, for 15 minutes.',
    title: 'Sign in with your link',
    text: 'One click, and you are signed in to this browser.',
  },
  de: {
    mailLink: 'Link zum Anmelden zuschicken',
    sentTitle: 'Sehen Sie in Ihrem Postfach nach',
    sent: 'Falls es ein Konto mit dieser Adresse gibt, ist eine E-Mail unterwegs. Der Link darin gilt einmal und 15 Minuten lang.',
    title: 'Mit Ihrem Link anmelden',
    text: 'Ein Klick, und Sie sind in diesem Browser angemeldet.',
  },
});

export const errorTexts: ErrorTextsOf<typeof magicLink> = {
  de: { INVALID_MAGIC_LINK: 'Dieser Link ist nicht mehr gültig.' },
};
