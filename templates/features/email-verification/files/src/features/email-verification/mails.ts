import { linkMessage, type Message, type Texts } from '../../mail/compose-mail.js';
import type { Content } from '../../mail/layout.js';
import type { Services } from '../../services.js';

export const KIND = 'email-verification';
const DAY = 24 * 60 * 60 * 1000;

const texts = (url: string): Texts<Content> => ({
  en: {
    subject: 'Confirm your address',
    paragraphs: [
      'An account was opened with this address. The link confirms that it is yours; it works for 24 hours.',
      'If it was not you, ignore this mail.',
    ],
    action: { label: 'Confirm the address', url },
  },
});

/** The link that verifies the address of an account. */
export async function verificationMail(
  services: Services,
  { userId, language }: { userId: string; language?: string | undefined },
): Promise<Message | undefined> {
  const { config, users } = services;
  const user = await users.findById(userId);
  if (!user || user.emailVerifiedAt !== null) return undefined;
  return linkMessage(services, {
    to: user.email,
    language,
    texts,
    page: `${config.BASE_URL}${config.AUTH_PREFIX}/verify-email`,
    kind: KIND,
    lifetime: DAY,
    userId,
    payload: user.email,
  });
}
