import { notice } from '../../mail/kinds.js';
import type { Forgotten } from '../../session/credentials.js';

interface Change {
  phoneNumber: string;
}

/** Enough to recognise a number: others may read the mailbox. */
const endOf = ({ phoneNumber }: Change) => phoneNumber.slice(-3);

export const phoneForgotten = (phoneNumber: string): Forgotten => ({
  en: `the phone number that ends in ${endOf({ phoneNumber })}`,
});

export const phoneAdded = notice((change: Change) => ({
  en: {
    subject: 'A phone number was added to your account',
    paragraphs: [
      `Codes for your account are now sent to the phone number that ends in ${endOf(change)}.`,
      'If it was not you, end your sessions and remove the number at once.',
    ],
  },
}));

export const phoneRemoved = notice((change: Change) => ({
  en: {
    subject: 'Your phone number was removed',
    paragraphs: [
      `Codes for your account are no longer sent to the phone number that ends in ${endOf(change)}.`,
      'If it was not you, end your sessions at once.',
    ],
  },
}));
