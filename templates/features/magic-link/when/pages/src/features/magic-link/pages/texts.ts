import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { magicLink } from '../feature.js';

export const texts = defineTexts({
  mailLink: { en: 'Mail me a link to sign in', de: 'Link zum Anmelden zuschicken' },
  sentTitle: { en: 'Check your mailbox', de: 'Sehen Sie in Ihrem Postfach nach' },
  sent: {
    en: 'If there is an account with this address, a mail is on its way. Its link works once, for 15 minutes.',
    de: 'Falls es ein Konto mit dieser Adresse gibt, ist eine E-Mail unterwegs. Der Link darin gilt einmal und 15 Minuten lang.',
  },
  title: { en: 'Sign in with your link', de: 'Mit Ihrem Link anmelden' },
  text: {
    en: 'One click, and you are signed in to this browser.',
    de: 'Ein Klick, und Sie sind in diesem Browser angemeldet.',
  },
});

export const errorTexts: ErrorTextsOf<typeof magicLink> = {
  de: { INVALID_MAGIC_LINK: 'Dieser Link ist nicht mehr gültig.' },
};
