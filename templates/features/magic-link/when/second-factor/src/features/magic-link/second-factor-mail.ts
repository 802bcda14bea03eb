import { composeMail } from '../../mail/compose.js';
import { inLanguage, type Texts } from '../../mail/language.js';
import type { Mail } from '../../mail/mailer.js';

const texts: Texts<{ subject: string; paragraphs: string[]; label: string }> = {
  en: {
    subject: 'Finish signing in',
    paragraphs: [
      'Somebody is signing in to your account, and this link is the second step. It works once, in the browser that asked for it.',
      'If it was not you, do not open it: somebody can do your first step. Change what it asks for at once.',
    ],
    label: 'Finish signing in',
  },
};

/** The mail with the link that is the second step of a sign-in. */
export function secondFactorMail(to: string, url: string, language?: string): Mail {
  const { subject, paragraphs, label } = inLanguage(texts, language);
  return composeMail({ to, subject, paragraphs, action: { label, url } });
}
