import * as z from 'zod';
import type { ErrorCode } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import type { Result } from '../../http/route.js';
import { now } from '../../process/clock.js';
import { randomToken } from '../../process/random.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/authenticate.js';
import { type OwnBrowser, proveEmail } from '../../session/credentials.js';
import { accountKeyOf } from '../../session/device.js';
import { CHALLENGE } from '../../session/end-session.js';
import {
  afterFirstFactor,
  finishLogin,
  requireEnabled,
  type SignIn,
} from '../../session/finish-login.js';
import type { Factor } from '../../session/reauthentication.js';
import { signToken, verifyToken } from '../../session/tokens.js';
import type { Account } from '../../users/account.js';
import { currentSetting } from '../settings/feature.js';
import { requiresSecondFactor } from './policy.js';

/** The type of token that is valid for the set-up routes only. */
export const SETUP_TOKEN = '2fa-setup';
/** The lifetime in ms of each type of temp token. */
const LIFETIMES = { '2fa': 5 * 60 * 1000, [SETUP_TOKEN]: 15 * 60 * 1000 };

/** The field of a body that carries the token of a second step. */
export const TempToken = z.string().max(4096).optional();

/** What every route that answers a challenge may refuse with. */
export const CHALLENGE_ERRORS = [
  'TEMP_TOKEN_REQUIRED',
  'INVALID_TEMP_TOKEN',
  'METHOD_NOT_AVAILABLE',
] satisfies ErrorCode[];

/** The response of a sign-in that still needs a second factor. */
export const ChallengeReply = z.object({
  requiresTwoFactor: z.literal(true),
  tempToken: z.string(),
  available2faMethods: z.array(z.string()),
});

/** Extra fields of 2FA_SETUP_REQUIRED: a token that is valid for the set-up only. */
export const SetUpRequired = z.object({ requires2FASetup: z.literal(true), tempToken: z.string() });

/** A sign-in that waits for its second factor. */
export interface LoginChallenge {
  /** The `jti` of the temp token. */
  id: string;
  userId: string;
  /** The first factor. */
  method: string;
  /** Who vouched for the first factor, if not this service. */
  provider?: string;
}

/**
 * A challenge is a one-time token, whose secret is in the temp token. A user may have several, so each has a kind of
 * its own, cut to the width of the column of kinds.
 */
const kindOf = (id: string) => `${CHALLENGE}${id.slice(0, 20)}`;

/**
 * Opens a challenge after the first factor and returns its temp token, which is valid for the second step
 * only or, as a SETUP_TOKEN, for the set-up of a second factor only.
 */
export async function openChallenge(
  { config, keys, transaction }: Services,
  signIn: SignIn,
  typ: keyof typeof LIFETIMES = '2fa',
): Promise<string> {
  const { userId, method, provider } = signIn;
  const id = randomToken();
  await transaction(async (tx) => {
    await requireEnabled(tx, userId);
    // A first factor that has changed since it was verified must not lead to a second step.
    await signIn.confirm(tx);
    const payload = JSON.stringify({ method, provider });
    await tx.oneTimeTokens.issue(kindOf(id), userId, LIFETIMES[typ], payload, id);
  });
  const claims = { sub: userId, typ, jti: id };
  return signToken(config, keys.access, claims, now(), now() + LIFETIMES[typ]);
}

export async function findChallenge(
  { oneTimeTokens }: Services,
  id: string,
): Promise<LoginChallenge | undefined> {
  const found = await oneTimeTokens.find(kindOf(id), id);
  return found && { id, userId: found.userId, ...JSON.parse(found.payload) };
}

/**
 * The caller of a set-up token. It requires only the first factor, so it may add the first app but not replace one,
 * and it is void once that factor has changed, or all sign-ins of the user were stopped.
 */
export async function callerOfSetUp(
  services: Services,
  token: string | undefined,
): Promise<Caller | undefined> {
  const claims = verifyToken(services.config, services.keys.access, SETUP_TOKEN, token);
  const challenge = claims && (await findChallenge(services, claims.jti));
  const account = challenge && (await services.users.findAccount(challenge.userId));
  if (!account || account.isTotpEnabled) return undefined;
  return { ...account, sessionId: challenge.id, via: 'single-purpose' };
}

/** Users who must set up a second factor may first have to prove the address, with the same token. */
export const isSettingUp: OwnBrowser = async (services, { bearerToken }, userId) =>
  (await callerOfSetUp(services, bearerToken))?.user.id === userId;

/**
 * The challenge of a temp token. Throws TEMP_TOKEN_REQUIRED without one, INVALID_TEMP_TOKEN if it is
 * unknown, used, expired or of another type.
 */
export async function requireChallenge(
  services: Services,
  tempToken: string | undefined,
): Promise<LoginChallenge> {
  if (!tempToken) throw refuse('TEMP_TOKEN_REQUIRED');
  const claims = verifyToken(services.config, services.keys.access, '2fa', tempToken);
  const challenge = claims && (await findChallenge(services, claims.jti));
  if (!challenge) throw refuse('INVALID_TEMP_TOKEN');
  return challenge;
}

/** True if `policy.ts` or the setting `require2FA` requires a second factor of this account. */
export async function isSecondFactorRequired(
  services: Services,
  account: Account,
): Promise<boolean> {
  return requiresSecondFactor(account) || currentSetting(services, 'require2FA');
}

/** The names of the wanted factors that an account has, the strong ones first. */
export async function factorsOf(
  services: Services,
  account: Account,
  isWanted: (factor: Factor) => boolean,
): Promise<string[]> {
  const [strong, others]: [string[], string[]] = [[], []];
  for (const { factor } of services.features) {
    if (!factor || !isWanted(factor) || !(await factor.isAvailable(services, account))) continue;
    (factor.isStrong ? strong : others).push(factor.name);
  }
  return [...strong, ...others];
}

/** The names of the user's second factors, without the method of the first step. */
export function availableFactors(services: Services, account: Account, firstMethod: string) {
  return factorsOf(services, account, ({ name }) => name !== firstMethod);
}

/**
 * The account of a challenge that the factor can answer. Throws METHOD_NOT_AVAILABLE for one that its
 * `available2faMethods` does not name.
 */
export async function requireAvailable(
  services: Services,
  { userId, method }: LoginChallenge,
  name: string,
): Promise<Account> {
  const account = await services.users.findAccount(userId);
  const offered = account ? await availableFactors(services, account, method) : [];
  if (!account || !offered.includes(name)) throw refuse('METHOD_NOT_AVAILABLE');
  return account;
}

/**
 * Finishes a sign-in with its second factor, the `method`, if what the user sent `isRight`; that consumes it. An
 * attempt is counted before the answer is compared, so that parallel guesses exceed neither the limit of the
 * challenge nor that of the account. A challenge yields tokens once.
 * Throws METHOD_NOT_AVAILABLE, INVALID_TEMP_TOKEN, RATE_LIMITED, or `wrong`.
 */
export async function answerChallenge(
  services: Services,
  request: RequestInfo,
  challenge: LoginChallenge,
  answer: { method: string; wrong: ErrorCode; provesEmail?: true; isRight(): Promise<boolean> },
): Promise<Result> {
  const { limiter } = services;
  const { id, userId, method: firstMethod, provider } = challenge;
  const { method, isRight, wrong } = answer;
  // The challenge stays: among parallel answers the right one may be about to use it up. Refused as an unknown one is:
  // whoever holds an exhausted token must not fill the audit log.
  if (!(await limiter.allows([['answersToChallenge', id]]))) throw refuse('INVALID_TEMP_TOKEN');
  return afterFirstFactor(userId, async () => {
    const { user } = await requireAvailable(services, challenge, method);
    // Whoever has the first factor could otherwise keep the owner out with wrong answers.
    const counted = await accountKeyOf(services, request, { userId });
    await limiter.consume([['secondStepsOfAccount', counted]]);
    if (!(await isRight())) throw refuse(wrong);
    await limiter.reset('secondStepsOfAccount', counted);
    return finishLogin(services, request, {
      ...{ userId, method, firstMethod, provider },
      // Whatever ends all sessions at this moment ends this sign-in too: it locks the user, then closes the challenges.
      async confirm(tx) {
        if (!(await tx.oneTimeTokens.consume(kindOf(id), id))) throw refuse('INVALID_TEMP_TOKEN');
        if (answer.provesEmail) await proveEmail(tx, request, user);
      },
    });
  });
}
