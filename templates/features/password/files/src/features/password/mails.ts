import { composeMail, inLanguage, type Texts } from '../../mail/compose-mail.js';
import type { Mail } from '../../mail/mailer.js';

interface LinkMail {
  subject: string;
  paragraphs: string[];
  label: string;
}

const reset: Texts<LinkMail> = {
  en: {
    subject: 'Reset your password',
    paragraphs: [
      'Somebody asked to reset the password of your account.',
      'The link works once, within one hour. If it was not you, ignore this mail: nothing has changed.',
    ],
    label: 'Choose a new password',
  },
};

const changed: Texts<LinkMail> = {
  en: {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account was changed just now, and your other sessions were ended.',
      'If it was not you, reset it at once.',
    ],
    label: 'Reset the password',
  },
};

/** The mail with the reset link. */
export function resetMail(to: string, url: string, language?: string): Mail {
  return linkMail(to, url, inLanguage(reset, language));
}

/** The notice after a password has changed, by whichever way (ASVS 6.3.7). */
export function passwordChangedMail(to: string, url: string, language?: string): Mail {
  return linkMail(to, url, inLanguage(changed, language));
}

function linkMail(to: string, url: string, { subject, paragraphs, label }: LinkMail): Mail {
  return composeMail({ to, subject, paragraphs, action: { label, url } });
}
