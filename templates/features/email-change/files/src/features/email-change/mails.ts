import type { Config } from '../../config.js';
import { linkMessage, type Message, notice } from '../../mail/compose-mail.js';
import type { Services } from '../../services.js';

export const KIND = 'email-change';

const confirmation = {
  kind: KIND,
  lifetime: 60 * 60 * 1000,
  page: ({ APP_URL }: Config) => `${APP_URL}/change-email`,
  subject: { en: 'Confirm your new address', de: 'Bestätigen Sie Ihre neue Adresse' },
  paragraphs: [
    {
      en: 'Somebody asked to move their account to this address.',
      de: 'Jemand möchte sein Konto auf diese Adresse umstellen.',
    },
    {
      en: 'Open the link in the browser where you asked for it; it works once, within one hour. If this was not you, ignore this email: nothing has changed.',
      de: 'Öffnen Sie den Link in dem Browser, in dem Sie das veranlasst haben; er gilt einmal und eine Stunde lang. Falls Sie das nicht waren, ignorieren Sie diese E-Mail: Es hat sich nichts geändert.',
    },
  ],
  action: { en: 'Move the account here', de: 'Konto umstellen' },
};

const inUseLetter = {
  subject: { en: 'Somebody tried to use your address', de: 'Jemand wollte Ihre Adresse verwenden' },
  paragraphs: [
    {
      en: 'Somebody asked to move another account to this address. The address already has an account, so nothing has changed.',
      de: 'Jemand wollte ein anderes Konto auf diese Adresse umstellen. Für sie gibt es schon ein Konto; es hat sich nichts geändert.',
    },
  ],
};

/**
 * The link, to the new address only; a notice instead if that address has an account. Both void an older link:
 * otherwise it would reveal which one was sent. `sessionId` is the session that requested the change.
 */
export async function emailChange(
  services: Services,
  change: { userId: string; sessionId: string; newEmail: string; language?: string | undefined },
): Promise<Message | undefined> {
  const { userId, sessionId, newEmail: to, language } = change;
  const payload = JSON.stringify({ newEmail: to, sessionId });
  const link = await linkMessage(services, confirmation, { to, userId, payload, language });
  return link && (await services.users.findByEmail(to)) ? { ...link, letter: inUseLetter } : link;
}

/** To the old address. */
export const emailChanged = notice(({ newEmail }: { newEmail: string }) => ({
  subject: {
    en: 'The address of your account was changed',
    de: 'Die Adresse Ihres Kontos wurde geändert',
  },
  paragraphs: [
    {
      en: `Your account has moved to ${newEmail}, and its other sessions were ended. Email sent to this old address can no longer be used to sign in to your account.`,
      de: `Ihr Konto hat nun die Adresse ${newEmail}, und seine anderen Sitzungen wurden beendet. Mit E-Mails an diese alte Adresse kann sich niemand mehr an Ihrem Konto anmelden.`,
    },
    {
      en: 'If this was not you, contact us at once.',
      de: 'Falls Sie das nicht waren, wenden Sie sich sofort an uns.',
    },
  ],
}));
