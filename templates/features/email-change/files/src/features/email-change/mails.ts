import * as z from 'zod';
import type { Config } from '../../config.js';
import { type ComposeMail, linkLetter, notice } from '../../mail/compose-mail.js';

export const KIND = 'email-change';

export const LIFETIME = 60 * 60 * 1000;

/** The new address, and the session that requested the change and survives it. */
const Payload = z.object({ newEmail: z.string(), sessionId: z.string() });

export const payloadOf = (token: { payload: string }) => Payload.parse(JSON.parse(token.payload));

const confirmation = {
  page: ({ APP_URL }: Config) => `${APP_URL}/change-email`,
  subject: { en: 'Confirm your new email address', de: 'Bestätigen Sie Ihre neue Adresse' },
  paragraphs: [
    {
      en: 'Someone asked to change the email address of their account to this one.',
      de: 'Jemand möchte sein Konto auf diese Adresse umstellen.',
    },
    {
      en: 'Open the link in the browser where you asked for it; it works once, within one hour. If this was not you, ignore this email: nothing has changed.',
      de: 'Öffnen Sie den Link in dem Browser, in dem Sie das veranlasst haben; er gilt einmal und eine Stunde lang. Falls Sie das nicht waren, ignorieren Sie diese E-Mail: Es hat sich nichts geändert.',
    },
  ],
  action: { en: 'Confirm the new email address', de: 'Konto umstellen' },
};

const inUseLetter = {
  subject: {
    en: 'Someone tried to use your email address',
    de: 'Jemand wollte Ihre Adresse verwenden',
  },
  paragraphs: [
    {
      en: 'Someone asked to change the email address of another account to this one. There already is an account with this address, so nothing has changed.',
      de: 'Jemand wollte ein anderes Konto auf diese Adresse umstellen. Für sie gibt es schon ein Konto; es hat sich nichts geändert.',
    },
  ],
};

/**
 * The link, to the new address only; a notice instead if that address has an account. Both void an older link:
 * otherwise it would reveal which one was sent.
 */
export const emailChange: ComposeMail<{
  userId: string;
  payload: string;
  language?: string | undefined;
}> = async ({ config, oneTimeTokens, users }, { userId, payload, language }) => {
  const token = await oneTimeTokens.renew(KIND, userId, LIFETIME, payload);
  if (token === undefined) return undefined;
  const to = payloadOf({ payload }).newEmail;
  const isInUse = await users.findByEmail(to);
  return { to, language, letter: isInUse ? inUseLetter : linkLetter(config, confirmation, token) };
};

/** To the old address. */
export const emailChanged = notice(({ newEmail }: { newEmail: string }) => ({
  subject: {
    en: 'Your email address was changed',
    de: 'Die Adresse Ihres Kontos wurde geändert',
  },
  paragraphs: [
    {
      en: `The email address of your account is now ${newEmail}, and all other sessions were ended. Email sent to this old address can no longer be used to sign in to your account.`,
      de: `Ihr Konto hat nun die Adresse ${newEmail}, und seine anderen Sitzungen wurden beendet. Mit E-Mails an diese alte Adresse kann sich niemand mehr an Ihrem Konto anmelden.`,
    },
    {
      en: 'If this was not you, contact us immediately.',
      de: 'Falls Sie das nicht waren, wenden Sie sich sofort an uns.',
    },
  ],
}));
