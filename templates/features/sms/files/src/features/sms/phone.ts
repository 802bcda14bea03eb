import * as z from 'zod';
import { refuse } from '../../http/errors.js';
import { post, type Route } from '../../http/route.js';
import { changeNotice } from '../../mail/compose-mail.js';
import type { Services } from '../../services.js';
import { hasWayIn, requireLiveSession } from '../../session/credentials.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import {
  codeField,
  consumeCode,
  countGuess,
  kindOf,
  ofOwner,
  TEXT_OF_DAY,
  textCode,
  textLimits,
} from './codes.js';
import { isCountryAllowed, parsePhoneNumber } from './numbers.js';

const PURPOSE = 'phone' as const;

export const phoneRoutes: Route[] = [
  /** The old number stays in use until the new one is verified. Null removes the number and its codes. */
  post('/add-phone', {
    summary: 'Text a code to a new phone number, or remove the number',
    access: 'strong',
    body: z.object({ phoneNumber: z.string().max(128).nullable() }),
    errors: ['INVALID_PHONE_NUMBER', 'PHONE_COUNTRY_NOT_ALLOWED', 'LAST_LOGIN_METHOD'],
    handle: async ({ body, caller, request, services }) => {
      const { user, sessionId: challengeId } = caller;
      const { language } = request;
      if (body.phoneNumber === null) {
        await services.transaction(async (tx) => {
          // Two requests that remove the last two credentials must not both succeed.
          await tx.users.lock(user.id);
          const phoneNumber = await forgetPhone(tx, user.id);
          if (!phoneNumber) return;
          if (!(await hasWayIn(tx, user.id))) throw refuse('LAST_LOGIN_METHOD');
          await endSessionsOfUser(tx, { request }, user.id, 'phone-removed', challengeId);
          await tx.mails.add('phoneRemoved', { email: user.email, language, phoneNumber });
        });
        return;
      }
      const phoneNumber = await parsePhoneNumber(body.phoneNumber);
      if (!phoneNumber) throw refuse('INVALID_PHONE_NUMBER');
      if (!(await isCountryAllowed(services.config, phoneNumber))) {
        throw refuse('PHONE_COUNTRY_NOT_ALLOWED');
      }
      await services.limiter.consume([
        ...textLimits(PURPOSE, ofOwner(user.id), ['textsPerIp', request.ip]),
        ['textsOfNumber', phoneNumber],
        TEXT_OF_DAY,
      ]);
      const use = { userId: user.id, purpose: PURPOSE, challengeId };
      services.background.run('phone code', () => textCode(services, use, phoneNumber, language));
    },
  }),

  post('/verify-phone', {
    summary: 'Verify the new phone number with the texted code',
    access: 'signed-in',
    body: z.object({ code: codeField }),
    errors: ['INVALID_SMS_CODE'],
    handle: async ({ body, caller, request, services }) => {
      const { user, sessionId: challengeId } = caller;
      const use = { userId: user.id, purpose: PURPOSE, challengeId };
      if (!(await countGuess(services, use))) throw refuse('INVALID_SMS_CODE');
      await services.transaction(async (tx) => {
        await requireLiveSession(tx, caller);
        const phoneNumber = await consumeCode(tx, use, body.code);
        if (!phoneNumber) throw refuse('INVALID_SMS_CODE');
        await tx.sms.saveNumber(user.id, phoneNumber);
        // Whoever signed in without it is signed out: a thief, and devices that their owner signs in again.
        await endSessionsOfUser(tx, { request }, user.id, 'phone-added', challengeId);
        await tx.mails.add('phoneAdded', {
          email: user.email,
          language: request.language,
          phoneNumber,
        });
      });
    },
  }),
];

/**
 * In a transaction: removes and returns a user's number, and removes the code for a new one. The code
 * first: a parallel verification has then either used it, so that its number is removed, or finds none.
 */
export async function forgetPhone(
  { oneTimeTokens, sms }: Services,
  userId: string,
): Promise<string | undefined> {
  await oneTimeTokens.revoke(kindOf({ purpose: PURPOSE }), userId);
  const phoneNumber = await sms.findNumber(userId);
  await sms.removeNumber(userId);
  return phoneNumber;
}

/** A phone number in a mail, by its end: others may read the mailbox. */
export const phoneName = (phoneNumber: string) => ({
  en: `the phone number ending in ${phoneNumber.slice(-3)}`,
  de: `die Telefonnummer, die auf ${phoneNumber.slice(-3)} endet`,
});

export const phoneAdded = changeNotice(
  {
    en: 'A phone number was added to your account',
    de: 'Ihrem Konto wurde eine Telefonnummer hinzugefügt',
  },
  ({ phoneNumber }: { phoneNumber: string }) => ({
    en: `Codes for your account are now sent to ${phoneName(phoneNumber).en}.`,
    de: `Codes für Ihr Konto gehen nun an ${phoneName(phoneNumber).de}.`,
  }),
);

export const phoneRemoved = changeNotice(
  { en: 'Your phone number was removed', de: 'Ihre Telefonnummer wurde entfernt' },
  ({ phoneNumber }: { phoneNumber: string }) => ({
    en: `Codes for your account are no longer sent to ${phoneName(phoneNumber).en}.`,
    de: `Codes für Ihr Konto gehen nicht mehr an ${phoneName(phoneNumber).de}.`,
  }),
);
