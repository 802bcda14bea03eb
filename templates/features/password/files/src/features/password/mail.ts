import { composeMail } from '../../mail/compose.js';
import type { Mail } from '../../mail/mailer.js';

/** The mail with the reset link. */
export function resetMail(to: string, url: string): Mail {
  return composeMail({
    to,
    subject: 'Reset your password',
    paragraphs: [
      'Somebody asked to reset the password of your account.',
      'The link works once, within one hour. If it was not you, ignore this mail: nothing has changed.',
    ],
    action: { label: 'Choose a new password', url },
  });
}

/** The notice after a password has changed, by whichever way (ASVS 6.3.7). */
export function passwordChangedMail(to: string, resetUrl: string): Mail {
  return composeMail({
    to,
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account was changed just now, and your other sessions were ended.',
      'If it was not you, reset it at once.',
    ],
    action: { label: 'Reset the password', url: resetUrl },
  });
}
