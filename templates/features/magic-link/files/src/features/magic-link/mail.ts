import { composeMail } from '../../mail/compose.js';
import { inLanguage, type Texts } from '../../mail/language.js';
import type { Mail } from '../../mail/mailer.js';

const texts: Texts<{ subject: string; paragraphs: string[]; label: string }> = {
  en: {
    subject: 'Your link to sign in',
    paragraphs: [
      'Somebody asked for a link that signs in to your account. It works once, within 15 minutes.',
      'If it was not you, ignore this mail and give the link to nobody.',
    ],
    label: 'Sign in',
  },
};

/** The mail with the link that signs in. */
export function magicLinkMail(to: string, url: string, language?: string): Mail {
  const { subject, paragraphs, label } = inLanguage(texts, language);
  return composeMail({ to, subject, paragraphs, action: { label, url } });
}
