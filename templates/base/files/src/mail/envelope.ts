import type { Config } from '../config.js';
import type { Mail } from './mailer.js';

const ADDRESS = /^[^\s<>,;:"()]{1,64}@[^\s<>,;:"()@]{1,255}$/u;
const CONTROL_CHARACTERS = /\p{Cc}+/gu;

/**
 * A mail as nodemailer takes it. The address is handed over as one address and never as a list to be
 * parsed, and nothing in it or in the subject can begin a header of its own: `a@x, b@y` or a line
 * break in a stored address does not send the link to somebody else.
 */
export function envelope(config: Config, mail: Mail) {
  if (!ADDRESS.test(mail.to)) throw new Error('A mail can be sent to one plain address only.');
  return {
    from: config.MAIL_FROM,
    to: { name: '', address: mail.to },
    subject: mail.subject.replace(CONTROL_CHARACTERS, ' '),
    text: mail.text,
    html: mail.html,
    // RFC 3834 §5: holiday notices and the like do not answer such a mail.
    headers: { 'Auto-Submitted': 'auto-generated' },
    // No part of a mail is ever read from a file or fetched from a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
