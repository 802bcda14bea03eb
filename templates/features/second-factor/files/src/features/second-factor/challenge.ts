import { now } from '../../clock.js';
import type { ErrorCode } from '../../error-codes.js';
import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import type { Reply } from '../../http/route.js';
import { randomId } from '../../random.js';
import { inTransaction, type Services } from '../../services.js';
import type { Caller } from '../../session/caller.js';
import { finishLogin } from '../../session/finish-login.js';
import type { SignIn } from '../../session/login-check.js';
import { signToken, verifyToken } from '../../session/tokens.js';
import type { LoginChallenge } from './store.js';

const TYPE = '2fa';
const LIFETIME = 5 * 60 * 1000;
/** The type of token that opens the set-up routes and nothing else. */
export const SETUP_TOKEN = '2fa-setup';
const SETUP_LIFETIME = 15 * 60 * 1000;
/** Guesses at one challenge; each new challenge needs the first factor again. */
const ATTEMPTS = 5;

/**
 * Opens a challenge for a user whose first factor was right; returns the temp token. It is of a type
 * of its own and opens nothing but the second step.
 */
export function openChallenge(services: Services, signIn: SignIn): Promise<string> {
  return open(services, signIn, TYPE, LIFETIME);
}

/** The same for a user who must set a second factor up before anything else. */
export function openSetUp(services: Services, signIn: SignIn): Promise<string> {
  return open(services, signIn, SETUP_TOKEN, SETUP_LIFETIME);
}

async function open(
  services: Services,
  signIn: SignIn,
  typ: string,
  lifetime: number,
): Promise<string> {
  const { config, keys } = services;
  const { userId, method } = signIn;
  const id = randomId();
  const issuedAt = now();
  const expiresAt = issuedAt + lifetime;
  const challenge = { id, userId, method, provider: signIn.provider ?? null };
  await inTransaction(services, async (inside) => {
    // A first factor that was changed since it was verified opens no second step either.
    await signIn.confirm?.(inside);
    await inside.secondFactor.open(challenge, expiresAt);
  });
  return signToken(config, keys.access, { sub: userId, typ, jti: id }, issuedAt, expiresAt);
}

/** True until the set-up token of a caller has expired, or all sign-ins of the user were stopped. */
export async function isSetUpOpen({ secondFactor }: Services, caller: Caller): Promise<boolean> {
  return caller.tokenId !== undefined && (await secondFactor.find(caller.tokenId)) !== undefined;
}

/**
 * The challenge of a temp token. Throws TEMP_TOKEN_REQUIRED without one, INVALID_TEMP_TOKEN if it is
 * unknown, used, expired or of another type.
 */
export async function requireChallenge(
  services: Services,
  tempToken: string | undefined,
): Promise<LoginChallenge> {
  if (!tempToken) throw refuse('TEMP_TOKEN_REQUIRED');
  const claims = verifyToken(services.config, services.keys.access, TYPE, tempToken);
  const challenge = claims && (await services.secondFactor.find(claims.jti));
  if (!challenge) throw refuse('INVALID_TEMP_TOKEN');
  return challenge;
}

/** What was answered to a challenge. */
export interface ChallengeAnswer {
  /** The second factor, as in `SignIn`. */
  method: string;
  /** Checks what the user sent, and uses it up. */
  isRight(userId: string): Promise<boolean>;
  /** The code for a wrong one. */
  wrong: ErrorCode;
}

/**
 * Finishes a sign-in with its second factor. An attempt is taken before the answer is looked at, so
 * that parallel guesses cannot exceed the limits, of this challenge and of all of the account; a
 * challenge yields tokens once.
 * Throws INVALID_TEMP_TOKEN, RATE_LIMITED, or the answer's own code.
 */
export async function answerChallenge(
  services: Services,
  request: RequestFacts,
  challenge: LoginChallenge,
  answer: ChallengeAnswer,
): Promise<Reply> {
  const { id, userId } = challenge;
  if (challenge.method === answer.method) throw refuse(answer.wrong);
  if (!(await services.secondFactor.takeAttempt(id, ATTEMPTS))) throw refuse('INVALID_TEMP_TOKEN');
  await services.limiter.consume([['secondStepsOfAccount', userId]]);
  if (!(await answer.isRight(userId))) {
    await publishFailure(services, request, userId, answer.method);
    throw refuse(answer.wrong);
  }
  if (!(await services.secondFactor.consume(id))) throw refuse('INVALID_TEMP_TOKEN');
  await services.limiter.reset('secondStepsOfAccount', userId);
  return finishLogin(services, request, {
    userId,
    method: answer.method,
    firstMethod: challenge.method,
    ...(challenge.provider ? { provider: challenge.provider } : {}),
  });
}

async function publishFailure(
  services: Services,
  request: RequestFacts,
  userId: string,
  method: string,
): Promise<void> {
  const user = await services.users.findById(userId);
  services.events.publish(
    'identity.auth.login.failed',
    { method, reason: 'invalid-code', email: user?.email ?? '' },
    { userId, request },
  );
}
