import { linkMessage, type Message, type Texts } from '../../mail/compose-mail.js';
import type { Content } from '../../mail/layout.js';
import type { Services } from '../../services.js';

/** The kind of one-time token that signs in. */
export const LOGIN_KIND = 'magic-link';
/** In ms. Short, since whoever can read the mailbox meanwhile can sign in. */
export const LIFETIME = 15 * 60 * 1000;

const texts = (url: string): Texts<Content> => ({
  en: {
    subject: 'Your link to sign in',
    paragraphs: [
      'Somebody asked for a link that signs in to your account. It works once, within 15 minutes.',
      'If it was not you, ignore this mail and give the link to nobody.',
    ],
    action: { label: 'Sign in', url },
  },
});

/**
 * The link that signs in, if the address has an account; none is opened for it. That is looked up here,
 * long after the answer: neither its content nor its time tells whether there is one (ASVS 6.3.8).
 */
export async function magicLinkMail(
  services: Services,
  { email, language }: { email: string; language?: string | undefined },
): Promise<Message | undefined> {
  const user = await services.users.findByEmail(email);
  if (!user || user.disabledAt !== null) return undefined;
  return linkMessage(services, {
    to: user.email,
    language,
    texts,
    page: linkPage(services),
    kind: LOGIN_KIND,
    lifetime: LIFETIME,
    userId: user.id,
    payload: user.email,
  });
}

/**
 * A page of the front end, which sends the token by POST when a person asks it to: the visit of a mail
 * scanner uses nothing up.
 */
export function linkPage({ config }: Services): string {
  return `${config.APP_URL}/magic-link`;
}
