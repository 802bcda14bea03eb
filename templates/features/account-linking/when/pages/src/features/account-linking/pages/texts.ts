import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { accountLinking } from '../feature.js';

export const texts = defineTexts({
  en: {
    linked: 'Linked accounts',
    linkedText: 'These accounts and addresses belong to yours.',
    none: 'None',
    noneText: 'No other account is linked to this one yet.',
    mailbox: 'Another mailbox',
    since: 'linked',
    unlink: 'Unlink',
    unlinkText: 'You will no longer be able to sign in with it.',
    unlinked: 'That account is no longer linked.',
    otherAddress: 'The other address',
    addText: 'Does your account there have another address? Add that one first:',
    conflict: 'You already have an account',
    conflictText: 'To use this provider too, confirm by mail that the account is yours:',
    send: 'Mail me a link',
    sent: 'A mail is on its way. Open its link in this browser within one hour.',
    link: 'Link the accounts',
    linkText: 'What you asked to link will belong to your account from now on.',
    confirm: 'Link and sign in',
    confirmSignedIn: 'Link',
  },
  de: {
    linked: 'Verknüpfte Konten',
    linkedText: 'Diese Konten und Adressen gehören zu Ihrem.',
    none: 'Keine',
    noneText: 'Noch ist kein anderes Konto mit diesem verknüpft.',
    mailbox: 'Weiteres Postfach',
    since: 'verknüpft',
    unlink: 'Trennen',
    unlinkText: 'Sie können sich damit dann nicht mehr anmelden.',
    unlinked: 'Dieses Konto ist nicht mehr verknüpft.',
    otherAddress: 'Die andere Adresse',
    addText: 'Hat Ihr Konto dort eine andere Adresse? Fügen Sie diese zuerst hinzu:',
    conflict: 'Sie haben schon ein Konto',
    conflictText:
      'Um auch diesen Anbieter zu nutzen, bestätigen Sie über eine E-Mail, dass das Konto Ihres ist:',
    send: 'Link zuschicken',
    sent: 'Eine E-Mail ist unterwegs. Öffnen Sie ihren Link innerhalb einer Stunde in diesem Browser.',
    link: 'Konten verknüpfen',
    linkText: 'Was Sie verknüpfen wollten, gehört von nun an zu Ihrem Konto.',
    confirm: 'Verknüpfen und anmelden',
    confirmSignedIn: 'Verknüpfen',
  },
});

export const errorTexts: ErrorTextsOf<typeof accountLinking> = {
  de: {
    INVALID_LINK_TOKEN: 'Dieser Link ist nicht mehr gültig.',
    LAST_LOGIN_METHOD:
      'Das ist der einzige Weg in dieses Konto. Fügen Sie zuerst einen anderen hinzu.',
  },
};
