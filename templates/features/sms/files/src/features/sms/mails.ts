import type { Text } from '../../http/html.js';
import { notice } from '../../mail/compose-mail.js';

interface Change {
  phoneNumber: string;
}

/** Enough to recognise a number: others may read the mailbox. */
const endOf = ({ phoneNumber }: Change) => phoneNumber.slice(-3);

export const phoneForgotten = (phoneNumber: string): Text => ({
  en: `the phone number that ends in ${endOf({ phoneNumber })}`,
  de: `die Telefonnummer, die auf ${endOf({ phoneNumber })} endet`,
});

export const phoneAdded = notice((change: Change) => ({
  subject: {
    en: 'A phone number was added to your account',
    de: 'Ihrem Konto wurde eine Telefonnummer hinzugefügt',
  },
  paragraphs: [
    {
      en: `Codes for your account are now sent to the phone number that ends in ${endOf(change)}.`,
      de: `Codes für Ihr Konto gehen nun an die Telefonnummer, die auf ${endOf(change)} endet.`,
    },
    {
      en: 'If it was not you, end your sessions and remove the number at once.',
      de: 'Falls Sie das nicht waren, beenden Sie Ihre Sitzungen und entfernen Sie die Nummer sofort.',
    },
  ],
}));

export const phoneRemoved = notice((change: Change) => ({
  subject: { en: 'Your phone number was removed', de: 'Ihre Telefonnummer wurde entfernt' },
  paragraphs: [
    {
      en: `Codes for your account are no longer sent to the phone number that ends in ${endOf(change)}.`,
      de: `Codes für Ihr Konto gehen nicht mehr an die Telefonnummer, die auf ${endOf(change)} endet.`,
    },
    {
      en: 'If it was not you, end your sessions at once.',
      de: 'Falls Sie das nicht waren, beenden Sie sofort Ihre Sitzungen.',
    },
  ],
}));
