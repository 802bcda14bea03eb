import * as z from 'zod';
import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import type { Limit, Result } from '../../http/route.js';
import type { Services } from '../../services.js';
import { accountKeyOf, knownDevice } from '../../session/device.js';
import { finishLogin } from '../../session/finish-login.js';
import { knownEmail, type User } from '../../users/user.js';
import { countGuess, textCodeIfAllowed, textLimits, useCode } from './codes.js';

/** The method's name in sessions and events. */
export const METHOD = 'sms';
const PURPOSE = 'login' as const;

/** No id has a colon: with one, what is typed as an id could be another key of a rate limit. */
const typedId = z
  .string()
  .min(1)
  .max(128)
  .transform((id) => id.replaceAll(':', ''));

/** The user whom a body names: by id or by address; the id wins. */
export const Who = z
  .object({ email: knownEmail.optional(), userId: typedId.optional() })
  .refine(({ email, userId }) => email !== undefined || userId !== undefined, {
    path: ['email'],
    message: 'Give `email` or `userId`.',
  });

type Who = z.output<typeof Who>;

/** Counted for the named user, whether or not there is such an account. */
export async function loginTextLimits(
  services: Services,
  request: RequestInfo,
  who: Who,
): Promise<Limit[]> {
  const account = `asked:${await accountKeyOf(services, request, who)}`;
  return textLimits(PURPOSE, account, ['textsPerIp', request.ip]);
}

async function findNamed({ users }: Services, { email, userId }: Who): Promise<User | undefined> {
  return userId === undefined ? users.findByEmail(email ?? '') : users.findById(userId);
}

/**
 * Texts a sign-in code, if there is such an account with a verified number. That happens after the response,
 * so that neither its content nor its time reveals whether there is one (ASVS 6.3.8).
 */
export function requestLoginCode(services: Services, request: RequestInfo, who: Who): undefined {
  services.background.run('login code', async () => {
    const user = await findNamed(services, who);
    if (!user || user.disabledAt !== null) return;
    const phoneNumber = await services.sms.findNumber(user.id);
    const device = knownDevice(services, request, user.id);
    // The request was counted by email or by id; here both count for the same account. A request of a known
    // browser has already been counted for all known browsers.
    const limits = device ? [] : textLimits(PURPOSE, user.id);
    if (!phoneNumber || !(await services.limiter.allows(limits))) return;
    const use = { userId: user.id, purpose: PURPOSE, device };
    await textCodeIfAllowed(services, use, phoneNumber, request.language);
  });
}

/**
 * Signs in by a texted code. An unknown account, a missing number, a missing code and a wrong code get the
 * same response in the same time. Throws INVALID_SMS_CODE.
 */
export async function useLoginCode(
  services: Services,
  request: RequestInfo,
  who: Who,
  code: string,
): Promise<Result> {
  const user = await findNamed(services, who);
  // An unknown account is counted too, and after too many guesses an impossible code is looked up: both take as long.
  const userId = user?.id ?? `unknown:${who.userId ?? who.email}`;
  const use = { userId, purpose: PURPOSE, device: knownDevice(services, request, userId) };
  const guess = (await countGuess(services, use)) ? code : '';
  const phoneNumber = await useCode(services, use, guess);
  if (!phoneNumber) {
    throw refuse('INVALID_SMS_CODE', user && { attempt: { userId, isProven: false } });
  }
  return finishLogin(services, request, {
    userId,
    method: METHOD,
    // The number may be another one by now, or removed by the first proof of the address.
    async confirm(tx) {
      if ((await tx.sms.findNumber(userId)) !== phoneNumber) throw refuse('INVALID_SMS_CODE');
    },
  });
}
