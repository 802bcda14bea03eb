import { linkMessage, type Message, type Texts } from '../../mail/compose-mail.js';
import type { Content } from '../../mail/layout.js';
import type { Services } from '../../services.js';

export const KIND = 'email-change';
const HOUR = 60 * 60 * 1000;

const confirmTexts = (url: string): Texts<Content> => ({
  en: {
    subject: 'Confirm your new address',
    paragraphs: [
      'Somebody asked to move their account to this address.',
      'The link works once, within one hour. If it was not you, ignore this mail: nothing has changed.',
    ],
    action: { label: 'Move the account here', url },
  },
});

const inUseTexts: Texts<Content> = {
  en: {
    subject: 'Somebody tried to use your address',
    paragraphs: [
      'Somebody asked to move another account to this address. It has an account already, so nothing has changed.',
    ],
  },
};

const changedTexts = (newEmail: string): Texts<Content> => ({
  en: {
    subject: 'The address of your account was changed',
    paragraphs: [
      `Your account has moved to ${newEmail}, and its other sessions were ended. Mail to this address no longer opens it.`,
      'If it was not you, tell us at once.',
    ],
  },
});

interface Change {
  userId: string;
  /** The session that asked. */
  sessionId: string;
  newEmail: string;
  language?: string | undefined;
}

/**
 * The link, to the new address only; a notice if that has an account. Which of the two is decided here,
 * long after the answer: neither its content nor its time tells.
 */
export async function emailChangeMail(
  services: Services,
  { userId, sessionId, newEmail, language }: Change,
): Promise<Message> {
  if (await services.users.findByEmail(newEmail)) {
    return { to: newEmail, language, texts: inUseTexts };
  }
  return linkMessage(services, {
    to: newEmail,
    language,
    texts: confirmTexts,
    page: `${services.config.APP_URL}/change-email`,
    kind: KIND,
    lifetime: HOUR,
    userId,
    payload: JSON.stringify({ newEmail, sessionId }),
  });
}

/** The notice to the old address. */
export async function emailChangedMail(
  _services: Services,
  { oldEmail, newEmail }: { oldEmail: string; newEmail: string },
): Promise<Message> {
  return { to: oldEmail, texts: changedTexts(newEmail) };
}
