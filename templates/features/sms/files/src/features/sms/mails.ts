import type { Message, Texts } from '../../mail/compose-mail.js';
import type { Content } from '../../mail/layout.js';
import type { Services } from '../../services.js';

const texts = {
  added: (ending: string): Texts<Content> => ({
    en: {
      subject: 'A phone number was added to your account',
      paragraphs: [
        `Codes for your account are now sent to the phone number that ends in ${ending}.`,
        'If it was not you, end your sessions and remove the number at once.',
      ],
    },
  }),
  removed: (ending: string): Texts<Content> => ({
    en: {
      subject: 'Your phone number was removed',
      paragraphs: [
        `Codes for your account are no longer sent to the phone number that ends in ${ending}.`,
        'If it was not you, end your sessions at once.',
      ],
    },
  }),
};

interface PhoneChange {
  email: string;
  change: keyof typeof texts;
  phoneNumber: string;
  language?: string | undefined;
}

/**
 * Sent after a phone number was verified or removed. The last digits are enough to recognise it: others
 * may read the mailbox.
 */
export async function phoneNotice(
  _services: Services,
  { email, change, phoneNumber, language }: PhoneChange,
): Promise<Message> {
  return { to: email, language, texts: texts[change](phoneNumber.slice(-3)) };
}
