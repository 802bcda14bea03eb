import { composeMail } from '../../mail/compose.js';
import { inLanguage, type Texts } from '../../mail/language.js';
import type { Mail } from '../../mail/mailer.js';

const texts: Texts<{ subject: string; paragraphs: string[]; label: string }> = {
  en: {
    subject: 'Confirm your address',
    paragraphs: [
      'An account was opened with this address. The link confirms that it is yours; it works for 24 hours.',
      'If it was not you, ignore this mail.',
    ],
    label: 'Confirm the address',
  },
};

/** The mail with the verification link. */
export function verificationMail(to: string, url: string, language?: string): Mail {
  const { subject, paragraphs, label } = inLanguage(texts, language);
  return composeMail({ to, subject, paragraphs, action: { label, url } });
}
