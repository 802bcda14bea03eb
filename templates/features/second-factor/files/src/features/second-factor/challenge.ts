import * as z from 'zod';
import type { ErrorCode } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import type { Result } from '../../http/route.js';
import { now } from '../../process/clock.js';
import { randomId } from '../../process/random.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/authenticate.js';
import type { OwnBrowser } from '../../session/credentials.js';
import { afterFirstFactor, finishLogin, type SignIn } from '../../session/finish-login.js';
import { signToken, verifyToken } from '../../session/tokens.js';
import { requireOffered } from './second-factor.js';
import type { LoginChallenge } from './store.js';

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
export const SetUpDemand = z.object({
  requires2FASetup: z.literal(true),
  tempToken: z.string(),
});

/**
 * Opens a challenge after the first factor and returns its temp token, which is valid for the second step
 * only or, as a SETUP_TOKEN, for the set-up of a second factor only.
 */
export async function openChallenge(
  services: Services,
  signIn: SignIn,
  typ: keyof typeof LIFETIMES = '2fa',
): Promise<string> {
  const { config, keys } = services;
  const { userId, method, provider = null } = signIn;
  const id = randomId();
  const issuedAt = now();
  const expiresAt = issuedAt + LIFETIMES[typ];
  const challenge = { id, userId, method, provider };
  await services.transaction(async (tx) => {
    // A first factor that has changed since it was verified must not lead to a second step.
    await signIn.confirm?.(tx);
    await tx.secondFactor.open(challenge, expiresAt);
  });
  return signToken(config, keys.access, { sub: userId, typ, jti: id }, issuedAt, expiresAt);
}

/** True until the set-up token of a caller has expired, or all sign-ins of the user were stopped. */
export async function isSetUpOpen({ secondFactor }: Services, caller: Caller): Promise<boolean> {
  return caller.tokenId !== undefined && (await secondFactor.find(caller.tokenId)) !== undefined;
}

/** Whoever has to set up a second factor may first have to prove the address, with the same token. */
export const isSettingUp: OwnBrowser = async (services, { bearerToken }, userId) => {
  const claims = verifyToken(services.config, services.keys.access, SETUP_TOKEN, bearerToken);
  return claims?.sub === userId && (await services.secondFactor.find(claims.jti)) !== undefined;
};

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
  const challenge = claims && (await services.secondFactor.find(claims.jti));
  if (!challenge) throw refuse('INVALID_TEMP_TOKEN');
  return challenge;
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
  answer: { method: string; wrong: ErrorCode; isRight(): Promise<boolean> },
): Promise<Result> {
  const { limiter } = services;
  const { id, userId, method: firstMethod, provider } = challenge;
  const { method, isRight, wrong } = answer;
  return afterFirstFactor(userId, async () => {
    await requireOffered(services, challenge, method);
    if (!(await limiter.allows([['answersToChallenge', id]]))) throw refuse('INVALID_TEMP_TOKEN');
    await limiter.consume([['secondStepsOfAccount', userId]]);
    if (!(await isRight())) throw refuse(wrong);
    await limiter.reset('secondStepsOfAccount', userId);
    return finishLogin(services, request, {
      ...{ userId, method, firstMethod },
      // Whatever ends all sessions at this moment ends this sign-in too: it locks the user, then closes the challenges.
      async confirm(tx) {
        await tx.users.lock(userId);
        if (!(await tx.secondFactor.consume(id))) throw refuse('INVALID_TEMP_TOKEN');
      },
      ...(provider ? { provider } : {}),
    });
  });
}
