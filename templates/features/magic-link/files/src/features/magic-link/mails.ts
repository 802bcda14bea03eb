import { composeMail, inLanguage, type Texts } from '../../mail/compose-mail.js';
import type { Content } from '../../mail/layout.js';
import type { Mail } from '../../mail/mailer.js';

const magicLink: Texts<(url: string) => Content> = {
  en: (url) => ({
    subject: 'Your link to sign in',
    paragraphs: [
      'Somebody asked for a link that signs in to your account. It works once, within 15 minutes.',
      'If it was not you, ignore this mail and give the link to nobody.',
    ],
    action: { label: 'Sign in', url },
  }),
};

/** The mail with the link that signs in. */
export function magicLinkMail(to: string, url: string, language?: string): Mail {
  return composeMail({ to, ...inLanguage(magicLink, language)(url) });
}
