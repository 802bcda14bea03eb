import { type TextsOf, translator } from '../../pages/texts.js';
import type { accountLinking } from '../feature.js';

export const texts = {
  de: {
    'Linked accounts': 'Verknüpfte Konten',
    'These accounts and addresses are linked to yours.':
      'Diese Konten und Adressen sind mit Ihrem verknüpft.',
    None: 'Keine',
    'No other account is linked to this one yet.':
      'Noch ist kein anderes Konto mit diesem verknüpft.',
    'Another mailbox': 'Weiteres Postfach',
    linked: 'verknüpft',
    Unlink: 'Trennen',
    'You will no longer be able to sign in with it.':
      'Sie können sich damit dann nicht mehr anmelden.',
    'That account is no longer linked.': 'Dieses Konto ist nicht mehr verknüpft.',
    'The other address': 'Die andere Adresse',
    'Does your account there have another address? Add that one first:':
      'Hat Ihr Konto dort eine andere Adresse? Fügen Sie diese zuerst hinzu:',
    'You already have an account': 'Sie haben schon ein Konto',
    'To use this provider too, confirm by mail that the account is yours:':
      'Um auch diesen Anbieter zu nutzen, bestätigen Sie per E-Mail, dass das Konto Ihnen gehört:',
    'A mail is on its way. Open its link in this browser within one hour.':
      'Eine E-Mail ist unterwegs. Öffnen Sie ihren Link innerhalb einer Stunde in diesem Browser.',
    'Link the accounts': 'Konten verknüpfen',
    'This links the account or address to yours.':
      'Damit verknüpfen Sie das Konto oder die Adresse mit Ihrem Konto.',
    'Link and sign in': 'Verknüpfen und anmelden',
    Link: 'Verknüpfen',
    INVALID_LINK_TOKEN: 'Dieser Link ist nicht mehr gültig.',
    LAST_LOGIN_METHOD:
      'Das ist der einzige Weg in dieses Konto. Fügen Sie zuerst einen anderen hinzu.',
  },
} satisfies TextsOf<typeof accountLinking>;

export const t = translator(texts);
