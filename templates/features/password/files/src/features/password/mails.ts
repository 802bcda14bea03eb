import { linkMessage, type Message, type Texts } from '../../mail/compose-mail.js';
import type { Content } from '../../mail/layout.js';
import type { Services } from '../../services.js';

export const KIND = 'password-reset';
const HOUR = 60 * 60 * 1000;

const resetTexts = (url: string): Texts<Content> => ({
  en: {
    subject: 'Reset your password',
    paragraphs: [
      'Somebody asked to reset the password of your account.',
      'The link works once, within one hour. If it was not you, ignore this mail: nothing has changed.',
    ],
    action: { label: 'Choose a new password', url },
  },
});

const changedTexts = (url: string): Texts<Content> => ({
  en: {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account was changed just now, and your other sessions were ended.',
      'If it was not you, reset it at once.',
    ],
    action: { label: 'Reset the password', url },
  },
});

/**
 * The link that resets a password, if the address has an account. That is looked up here, long after the
 * answer: neither its content nor its time tells whether there is one (ASVS 6.3.8).
 */
export async function passwordReset(
  services: Services,
  { email, language }: { email: string; language?: string | undefined },
): Promise<Message | undefined> {
  const user = await services.users.findByEmail(email);
  if (!user || user.disabledAt !== null) return undefined;
  return linkMessage(services, {
    to: user.email,
    language,
    texts: resetTexts,
    page: `${services.config.APP_URL}/reset-password`,
    kind: KIND,
    lifetime: HOUR,
    userId: user.id,
    payload: user.email,
  });
}

/** The notice after a password has changed, by whichever way (ASVS 6.3.7). */
export async function passwordChanged(
  { config }: Services,
  { email }: { email: string },
): Promise<Message> {
  return { to: email, texts: changedTexts(`${config.APP_URL}/forgot-password`) };
}
