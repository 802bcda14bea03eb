import { composeMail, inLanguage, type Texts } from '../../mail/compose-mail.js';
import type { Content } from '../../mail/layout.js';
import type { Mail } from '../../mail/mailer.js';

const verification: Texts<(url: string) => Content> = {
  en: (url) => ({
    subject: 'Confirm your address',
    paragraphs: [
      'An account was opened with this address. The link confirms that it is yours; it works for 24 hours.',
      'If it was not you, ignore this mail.',
    ],
    action: { label: 'Confirm the address', url },
  }),
};

/** The mail with the verification link. */
export function verificationMail(to: string, url: string, language?: string): Mail {
  return composeMail({ to, ...inLanguage(verification, language)(url) });
}
