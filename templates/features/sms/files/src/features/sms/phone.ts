import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import { inTransaction, type Services } from '../../services.js';
import type { Caller } from '../../session/caller.js';
import { type CodeUse, consumeCode, takeCodeAttempt } from './code.js';
import { phoneAddedMail, phoneRemovedMail } from './mail.js';
import { textCode } from './text-code.js';
import { textLimits } from './text-limits.js';

const PURPOSE = 'phone';

/**
 * Texts a code to a new number; a verified one stays in use until the new one is.
 * Throws INVALID_PHONE_NUMBER.
 */
export async function addPhone(
  services: Services,
  request: RequestFacts,
  { user }: Caller,
  text: string,
  language?: string,
): Promise<void> {
  // The numbers of all countries are loaded with the first one to look at: they take 10 MB.
  const { parsePhoneNumber } = await import('./phone-number.js');
  const phoneNumber = parsePhoneNumber(text);
  if (!phoneNumber) throw refuse('INVALID_PHONE_NUMBER');
  await services.limiter.consume([
    ...textLimits(PURPOSE, user.id, request),
    ['textsOfNumber', phoneNumber],
  ]);
  await services.sms.phones.savePending(user.id, phoneNumber);
  const use: CodeUse = { userId: user.id, purpose: PURPOSE, phoneNumber };
  services.background.run('phone code', () => textCode(services, use, language));
}

/** Removes the number, verified or not, and the codes that are on their way. */
export async function removePhone(
  services: Services,
  { user }: Caller,
  language?: string,
): Promise<void> {
  const phoneNumber = await services.sms.phones.findVerified(user.id);
  await forgetPhone(services, user.id);
  if (!phoneNumber) return;
  services.background.run('phone notice', () =>
    services.mailer.send(phoneRemovedMail(user.email, phoneNumber, language)),
  );
}

/** Removes all that texts are sent by. */
export async function forgetPhone(services: Services, userId: string): Promise<void> {
  await inTransaction(services, async ({ sms }) => {
    await sms.phones.remove(userId);
    await sms.codes.removeAll(userId);
  });
}

/** Puts the new number in use by the code that was texted to it. Throws INVALID_SMS_CODE. */
export async function verifyPhone(
  services: Services,
  { user }: Caller,
  code: string,
): Promise<void> {
  const phoneNumber = await services.sms.phones.findPending(user.id);
  if (!phoneNumber) throw refuse('INVALID_SMS_CODE');
  const use: CodeUse = { userId: user.id, purpose: PURPOSE, phoneNumber };
  if (!(await takeCodeAttempt(services, use))) throw refuse('INVALID_SMS_CODE');
  await inTransaction(services, async (inside) => {
    const isRight = await consumeCode(inside, use, code);
    if (!isRight || !(await inside.sms.phones.confirm(user.id, phoneNumber))) {
      throw refuse('INVALID_SMS_CODE');
    }
  });
  services.background.run('phone notice', () =>
    services.mailer.send(phoneAddedMail(user.email, phoneNumber)),
  );
}
