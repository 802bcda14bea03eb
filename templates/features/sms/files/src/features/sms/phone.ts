import { refuse } from '../../http/errors.js';
import type { Call, Result } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/authenticate.js';
import type { User } from '../../users/user.js';
import { consumeCode, kindOf, mayGuess, textCode, textLimits } from './codes.js';

const PURPOSE = 'phone' as const;

/** The sender pays for texts to these: the aim of SMS pumping fraud. */
const COSTLY = new Set(['PREMIUM_RATE', 'SHARED_COST']);

/**
 * A phone number in E.164; undefined without a country code, with an extension, or with a length that its
 * country does not use. Not stricter: lists of number ranges become outdated, and the code proves the rest.
 */
export async function parsePhoneNumber(text: string): Promise<string | undefined> {
  // Loaded with the first number: the data of all countries takes 10 MB.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max');
  const number = parsePhoneNumberFromString(text, { extract: false });
  if (!number?.isPossible() || number.ext) return undefined;
  return COSTLY.has(number.getType() ?? '') ? undefined : number.number;
}

/**
 * Texts a code to a new number; the old one stays in use until the new one is verified. Null removes the
 * number and its codes. Throws INVALID_PHONE_NUMBER.
 */
export async function changePhone({
  body,
  caller: { user },
  request,
  services,
}: Call<{ phoneNumber: string | null; emailLang?: string | undefined }, Caller>): Promise<Result> {
  if (body.phoneNumber === null) {
    await removePhone(services, user, body.emailLang);
    return { body: { success: true } };
  }
  const phoneNumber = await parsePhoneNumber(body.phoneNumber);
  if (!phoneNumber) throw refuse('INVALID_PHONE_NUMBER');
  await services.limiter.consume([
    ...textLimits(PURPOSE, user.id, request.ip),
    ['textsOfNumber', phoneNumber],
  ]);
  const use = { userId: user.id, purpose: PURPOSE };
  services.background.run('phone code', () => textCode(services, use, phoneNumber, body.emailLang));
  return { body: { success: true } };
}

async function removePhone(
  services: Services,
  { id, email }: User,
  language?: string,
): Promise<void> {
  await services.transaction(async (tx) => {
    const phoneNumber = await tx.sms.findNumber(id);
    await forgetPhone(tx, id);
    if (phoneNumber) await tx.mails.add('phoneRemoved', { email, phoneNumber, language });
  });
}

/**
 * In a transaction: removes a user's number and the code for a new one. The code first: a verification that
 * runs meanwhile has either used it and its number is removed, or finds none.
 */
export async function forgetPhone({ oneTimeTokens, sms }: Services, userId: string): Promise<void> {
  await oneTimeTokens.revoke(kindOf({ purpose: PURPOSE }), userId);
  await sms.removeNumber(userId);
}

/** Verifies the new number with the code that was texted to it. Throws INVALID_SMS_CODE. */
export async function verifyPhone({
  body,
  caller: { user },
  services,
}: Call<{ code: string }, Caller>): Promise<Result> {
  const use = { userId: user.id, purpose: PURPOSE };
  if (!(await mayGuess(services, use))) throw refuse('INVALID_SMS_CODE');
  await services.transaction(async (tx) => {
    const phoneNumber = await consumeCode(tx, use, body.code);
    if (!phoneNumber) throw refuse('INVALID_SMS_CODE');
    await tx.sms.saveNumber(user.id, phoneNumber);
    await tx.mails.add('phoneAdded', { email: user.email, phoneNumber });
  });
  return { body: { success: true } };
}
