import type { Message, Texts } from '../../mail/compose-mail.js';
import { linkMessage, notice } from '../../mail/kinds.js';
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
  de: {
    subject: 'Bestätigen Sie Ihre neue Adresse',
    paragraphs: [
      'Jemand möchte sein Konto auf diese Adresse umstellen.',
      'Der Link gilt einmal und eine Stunde lang. Falls Sie das nicht waren, ignorieren Sie diese E-Mail: Es hat sich nichts geändert.',
    ],
    action: { label: 'Konto umstellen', url },
  },
});

const inUseTexts: Texts<Content> = {
  en: {
    subject: 'Somebody tried to use your address',
    paragraphs: [
      'Somebody asked to move another account to this address. It has an account already, so nothing has changed.',
    ],
  },
  de: {
    subject: 'Jemand wollte Ihre Adresse verwenden',
    paragraphs: [
      'Jemand wollte ein anderes Konto auf diese Adresse umstellen. Zu ihr gibt es schon ein Konto; es hat sich nichts geändert.',
    ],
  },
};

interface Change {
  userId: string;
  /** The session that asked. */
  sessionId: string;
  newEmail: string;
  language?: string | undefined;
}

/** The link, to the new address only; a notice if that has an account. */
export async function emailChange(
  services: Services,
  { userId, sessionId, newEmail: to, language }: Change,
): Promise<Message> {
  if (await services.users.findByEmail(to)) return { to, language, texts: inUseTexts };
  const link = {
    kind: KIND,
    lifetime: HOUR,
    page: () => `${services.config.APP_URL}/change-email`,
    texts: confirmTexts,
  };
  const payload = JSON.stringify({ newEmail: to, sessionId });
  return linkMessage(services, link, { to, userId, payload, language });
}

/** To the old address. */
export const emailChanged = notice(({ newEmail }: { newEmail: string }) => ({
  en: {
    subject: 'The address of your account was changed',
    paragraphs: [
      `Your account has moved to ${newEmail}, and its other sessions were ended. Mail sent to this address no longer gives access to it.`,
      'If it was not you, tell us at once.',
    ],
  },
  de: {
    subject: 'Die Adresse Ihres Kontos wurde geändert',
    paragraphs: [
      `Ihr Konto hat nun die Adresse ${newEmail}, und seine anderen Sitzungen wurden beendet. E-Mails an diese Adresse hier öffnen es nicht mehr.`,
      'Falls Sie das nicht waren, wenden Sie sich sofort an uns.',
    ],
  },
}));
