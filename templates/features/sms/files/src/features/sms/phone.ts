import { refuse } from '../../http/errors.js';
import type { Call } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/authenticate.js';
import { requireLiveSession } from '../../session/credentials.js';
import {
  consumeCode,
  kindOf,
  mayGuess,
  ofOwner,
  TEXT_OF_DAY,
  textCode,
  textLimits,
} from './codes.js';
import { isCountryAllowed, parsePhoneNumber } from './numbers.js';

const PURPOSE = 'phone' as const;

/**
 * Texts a code to a new number; the old one stays in use until the new one is verified. Null removes the
 * number and its codes. Throws INVALID_PHONE_NUMBER, PHONE_COUNTRY_NOT_ALLOWED, RATE_LIMITED.
 */
export async function changePhone({
  body,
  caller: { user },
  request,
  services,
}: Call<
  { phoneNumber: string | null; emailLang?: string | undefined },
  Caller
>): Promise<undefined> {
  if (body.phoneNumber === null) {
    await services.transaction(async (tx) => {
      const phoneNumber = await forgetPhone(tx, user.id);
      const change = { email: user.email, language: body.emailLang };
      if (phoneNumber) await tx.mails.add('phoneRemoved', { ...change, phoneNumber });
    });
    return undefined;
  }
  const phoneNumber = await parsePhoneNumber(body.phoneNumber);
  if (!phoneNumber) throw refuse('INVALID_PHONE_NUMBER');
  if (!(await isCountryAllowed(services.config, phoneNumber))) {
    throw refuse('PHONE_COUNTRY_NOT_ALLOWED');
  }
  await services.limiter.consume([
    ...textLimits(PURPOSE, ofOwner(user.id), request.ip),
    ['textsOfNumber', phoneNumber],
    TEXT_OF_DAY,
  ]);
  const use = { userId: user.id, purpose: PURPOSE };
  services.background.run('phone code', () => textCode(services, use, phoneNumber, body.emailLang));
}

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

/** Verifies the new number with the code that was texted to it. Throws INVALID_SMS_CODE. */
export async function verifyPhone({
  body,
  caller,
  services,
}: Call<{ code: string }, Caller>): Promise<undefined> {
  const { user } = caller;
  const use = { userId: user.id, purpose: PURPOSE };
  if (!(await mayGuess(services, use))) throw refuse('INVALID_SMS_CODE');
  await services.transaction(async (tx) => {
    await requireLiveSession(tx, caller);
    const phoneNumber = await consumeCode(tx, use, body.code);
    if (!phoneNumber) throw refuse('INVALID_SMS_CODE');
    await tx.sms.saveNumber(user.id, phoneNumber);
    await tx.mails.add('phoneAdded', { email: user.email, phoneNumber });
  });
}
