import { composeMail, inLanguage, type Texts } from '../../mail/compose-mail.js';
import type { Content } from '../../mail/layout.js';
import type { Mail } from '../../mail/mailer.js';

type Notice = Texts<(ending: string) => Content>;

const added: Notice = {
  en: (ending) => ({
    subject: 'A phone number was added to your account',
    paragraphs: [
      `Codes for your account are now sent to the phone number that ends in ${ending}.`,
      'If it was not you, end your sessions and remove the number at once.',
    ],
  }),
};

const removed: Notice = {
  en: (ending) => ({
    subject: 'Your phone number was removed',
    paragraphs: [
      `Codes for your account are no longer sent to the phone number that ends in ${ending}.`,
      'If it was not you, end your sessions at once.',
    ],
  }),
};

/** Sent after a phone number was verified. */
export function phoneAddedMail(to: string, phoneNumber: string, language?: string): Mail {
  return noticeOf(added, to, phoneNumber, language);
}

/** Sent after the verified phone number was removed. */
export function phoneRemovedMail(to: string, phoneNumber: string, language?: string): Mail {
  return noticeOf(removed, to, phoneNumber, language);
}

/** The last digits are enough to recognise the number: others may read the mailbox. */
function noticeOf(notice: Notice, to: string, phoneNumber: string, language?: string): Mail {
  return composeMail({ to, ...inLanguage(notice, language)(phoneNumber.slice(-3)) });
}
