import { composeMail } from '../../mail/compose.js';
import { inLanguage, type Texts } from '../../mail/language.js';
import type { Mail } from '../../mail/mailer.js';

interface Notice {
  subject: string;
  paragraphs(ending: string): string[];
}

const added: Texts<Notice> = {
  en: {
    subject: 'A phone number was added to your account',
    paragraphs: (ending) => [
      `Codes for your account are now sent to the phone number that ends in ${ending}.`,
      'If it was not you, end your sessions and remove the number at once.',
    ],
  },
};

const removed: Texts<Notice> = {
  en: {
    subject: 'Your phone number was removed',
    paragraphs: (ending) => [
      `Codes for your account are not sent to the phone number that ends in ${ending} any more.`,
      'If it was not you, end your sessions at once.',
    ],
  },
};

/** Told after a phone number was verified. */
export function phoneAddedMail(to: string, phoneNumber: string, language?: string): Mail {
  return noticeOf(to, inLanguage(added, language), phoneNumber);
}

/** Told after the verified phone number was removed. */
export function phoneRemovedMail(to: string, phoneNumber: string, language?: string): Mail {
  return noticeOf(to, inLanguage(removed, language), phoneNumber);
}

/** The last digits are enough to know it by: a mailbox may be read by others. */
function noticeOf(to: string, { subject, paragraphs }: Notice, phoneNumber: string): Mail {
  return composeMail({ to, subject, paragraphs: paragraphs(phoneNumber.slice(-3)) });
}
