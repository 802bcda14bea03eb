import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { accountLinking } from '../feature.js';

export const texts = defineTexts({
  linked: { en: 'Linked accounts', de: 'Verknüpfte Konten' },
  linkedText: {
    en: 'These accounts and addresses belong to yours.',
    de: 'Diese Konten und Adressen gehören zu Ihrem.',
  },
  none: { en: 'None', de: 'Keine' },
  noneText: {
    en: 'No other account is linked to this one yet.',
    de: 'Noch ist kein anderes Konto mit diesem verknüpft.',
  },
  mailbox: { en: 'Another mailbox', de: 'Weiteres Postfach' },
  since: { en: 'linked', de: 'verknüpft' },
  unlink: { en: 'Unlink', de: 'Trennen' },
  unlinkText: {
    en: 'You will no longer be able to sign in with it.',
    de: 'Sie können sich damit dann nicht mehr anmelden.',
  },
  unlinked: {
    en: 'That account is no longer linked.',
    de: 'Dieses Konto ist nicht mehr verknüpft.',
  },
  otherAddress: { en: 'The other address', de: 'Die andere Adresse' },
  addText: {
    en: 'Does your account there have another address? Add that one first:',
    de: 'Hat Ihr Konto dort eine andere Adresse? Fügen Sie diese zuerst hinzu:',
  },
  conflict: { en: 'You already have an account', de: 'Sie haben schon ein Konto' },
  conflictText: {
    en: 'To use this provider too, confirm by mail that the account is yours:',
    de: 'Um auch diesen Anbieter zu nutzen, bestätigen Sie über eine E-Mail, dass das Konto Ihres ist:',
  },
  sent: {
    en: 'A mail is on its way. Open its link in this browser within one hour.',
    de: 'Eine E-Mail ist unterwegs. Öffnen Sie ihren Link innerhalb einer Stunde in diesem Browser.',
  },
  link: { en: 'Link the accounts', de: 'Konten verknüpfen' },
  linkText: {
    en: 'What you asked to link will belong to your account from now on.',
    de: 'Was Sie verknüpfen wollten, gehört von nun an zu Ihrem Konto.',
  },
  confirm: { en: 'Link and sign in', de: 'Verknüpfen und anmelden' },
  confirmSignedIn: { en: 'Link', de: 'Verknüpfen' },
});

export const errorTexts: ErrorTextsOf<typeof accountLinking> = {
  de: {
    INVALID_LINK_TOKEN: 'Dieser Link ist nicht mehr gültig.',
    LAST_LOGIN_METHOD:
      'Das ist der einzige Weg in dieses Konto. Fügen Sie zuerst einen anderen hinzu.',
  },
};
