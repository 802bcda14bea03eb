import { refuse } from '../../http/errors.js';
import type { Call, Result } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/authenticate.js';
import type { User } from '../../users/user.js';
import { textCode, textLimits, useCode } from './codes.js';

const PURPOSE = 'phone';

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
  await services.sms.savePendingNumber(user.id, phoneNumber);
  const use = { userId: user.id, purpose: PURPOSE, phoneNumber };
  services.background.run('phone code', () => textCode(services, use, body.emailLang));
  return { body: { success: true } };
}

async function removePhone(services: Services, user: User, language?: string): Promise<void> {
  await services.transaction(async ({ mails, sms }) => {
    const phoneNumber = await sms.findNumber(user.id);
    await sms.remove(user.id);
    if (!phoneNumber) return;
    await mails.add('phoneNotice', { email: user.email, change: 'removed', phoneNumber, language });
  });
}

/** Verifies the new number with the code that was texted to it. Throws INVALID_SMS_CODE. */
export async function verifyPhone({
  body,
  caller: { user },
  services,
}: Call<{ code: string }, Caller>): Promise<Result> {
  const phoneNumber = (await services.sms.findPendingNumber(user.id)) ?? '';
  const use = { userId: user.id, purpose: PURPOSE, phoneNumber };
  if (!(await useCode(services, use, body.code))) throw refuse('INVALID_SMS_CODE');
  await services.transaction(async ({ mails, sms }) => {
    // Another request may have removed or replaced the pending number meanwhile.
    if (!(await sms.confirmNumber(user.id, phoneNumber))) throw refuse('INVALID_SMS_CODE');
    await mails.add('phoneNotice', { email: user.email, change: 'added', phoneNumber });
  });
  return { body: { success: true } };
}
