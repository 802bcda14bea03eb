import type { z } from 'zod';
import type { ErrorCode } from '../feature.js';
import { HttpError, refuse } from '../http/errors.js';
import type { RequestInfo } from '../http/request.js';
import type { Result, Route } from '../http/route.js';
import { now } from '../process/clock.js';
import { randomId } from '../process/random.js';
import type { Services } from '../services.js';
import type { Account } from '../users/account.js';
import { deviceCookie, knownDevice } from './device.js';
import { endReplacedSession } from './end-session.js';
import { strongFactorsOf } from './factors.js';
import type { LiveSession } from './session-store.js';
import { replyWithTokens } from './tokens.js';

/** How a user got in, for the session, the event and the checks. */
export interface SignIn {
  userId: string;
  /** The method, by the name that events and sessions have for it, such as `local`. */
  method: string;
  /** Who vouched for it, if not this service. */
  provider?: string;
  /**
   * Throws if what proved who the user is no longer does. Called in the transaction that opens the
   * session, for whatever may have been changed since it was looked at.
   */
  confirm?(tx: Services): Promise<void>;
  /** The method that was used before this one, if it took two. */
  firstMethod?: string;
  /** The language asked for (BCP 47), for mails. */
  language?: string | undefined;
}

/** A feature's say before tokens are issued, to a user who has proved who they are. */
export interface LoginCheck {
  /** The codes that it may refuse with. */
  refuses: ErrorCode[];
  /** Fields that a refusal may carry beside `error` and `code`. */
  tells?: z.ZodObject;
  /** What it may answer where others get tokens. */
  asks?: z.ZodType;
  /** Throws to refuse, returns a reply to ask for something else first, undefined to let pass. */
  check(
    services: Services,
    request: RequestInfo,
    account: Account,
    signIn: SignIn,
  ): Promise<Result | undefined>;
}

/**
 * Every way to sign in ends here, once it knows who the user is: the one place that decides whether
 * tokens are issued. A check that is missing in a method is thereby missing nowhere.
 * Throws ACCOUNT_DISABLED, only now that the credential was right: others must not learn of it.
 */
export function finishLogin(
  services: Services,
  request: RequestInfo,
  signIn: SignIn,
): Promise<Result> {
  return afterFirstFactor(signIn.userId, () => checkAndIssue(services, request, signIn));
}

async function checkAndIssue(
  services: Services,
  request: RequestInfo,
  signIn: SignIn,
): Promise<Result> {
  const account = await services.users.findAccount(signIn.userId);
  if (!account) throw refuse('INVALID_TOKEN');
  if (account.user.disabledAt !== null) throw refuse('ACCOUNT_DISABLED');
  const strong = await strongFactorsOf(services, account);
  for (const { loginCheck } of services.features) {
    const reply = await loginCheck?.check(services, request, account, signIn);
    if (reply) return reply;
  }
  const { userId, method, provider } = signIn;
  const session = await services.transaction(async (tx) => {
    if (await isStrengthened(tx, account, strong.length)) return undefined;
    await signIn.confirm?.(tx);
    const started = await startSession(tx, request, userId, method, signIn.firstMethod);
    await endReplacedSession(tx, request, userId);
    const data = { method, ...(provider ? { provider } : {}) };
    tx.events.publish('identity.auth.login.success', data, { userId, request });
    return started;
  });
  if (!session) return checkAndIssue(services, request, signIn);
  const reply = { ...replyWithTokens(services, request, session, account), opensSession: true };
  if (request.wantsBearer) return reply;
  return { ...reply, cookies: [...(reply.cookies ?? []), deviceCookie(services, request, userId)] };
}

/**
 * In a transaction: true if the account has got a strong factor since it was read. That ends all sessions, and
 * must not be missed by one that is opened at the same moment. The user is locked, as by who adds the factor.
 */
async function isStrengthened(
  tx: Services,
  account: Account,
  strongCount: number,
): Promise<boolean> {
  if (!tx.features.some(({ strongFactor }) => strongFactor)) return false;
  await tx.users.lock(account.user.id);
  const current = (await tx.users.findAccount(account.user.id)) ?? account;
  return (await strongFactorsOf(tx, current)).length > strongCount;
}

/**
 * Opens a session for a user who has just proved who they are. It gets a new id whatever the
 * request carried, so nobody can fix a session beforehand.
 */
export async function startSession(
  services: Services,
  request: RequestInfo,
  userId: string,
  method: string,
  firstMethod?: string,
): Promise<LiveSession> {
  const time = now();
  const session = {
    id: randomId(),
    userId,
    factors: { ...(firstMethod ? { [firstMethod]: time } : {}), [method]: time },
    createdAt: time,
    lastActiveAt: time,
    expiresAt: expiryOf(services, time, time),
    refreshId: randomId(),
    usedRefreshIds: [],
    userAgent: request.userAgent,
    ipAddress: request.ip,
  };
  await services.transaction(async (tx) => {
    await tx.sessions.create(session);
    const { id: sessionId, userAgent, ipAddress } = session;
    const data = { sessionId, method, userAgent, ipAddress };
    const isKnownDevice = knownDevice(services, request, userId) !== undefined;
    tx.events.publish('identity.session.created', data, { userId, request, isKnownDevice });
  });
  return session;
}

/** When a session ends unless it is refreshed: never later than SESSION_MAX_AGE after its start. */
export function expiryOf(services: Services, createdAt: number, time: number): number {
  const { REFRESH_TOKEN_TTL, SESSION_MAX_AGE } = services.config;
  return Math.min(time + REFRESH_TOKEN_TTL, createdAt + SESSION_MAX_AGE);
}

export interface RefusedSignIn {
  method: string;
  /** The code that the client got, or the provider's own. */
  reason: string;
  /** Absent if no account is known. */
  userId?: string;
  /** True after a right first factor: whoever failed is known. */
  isProven?: boolean;
}

const REFUSALS = [401, 403, 429];

/**
 * Notes what a route that signs in threw, if it is a refusal. A limit or a foreign origin is only logged: no
 * credential was looked at, and whoever sends them could fill the database.
 */
export function noteRefusedSignIn(
  services: Services,
  request: RequestInfo,
  { signsIn: method, errors = [] }: Route,
  error: unknown,
): void {
  if (method === undefined || !(error instanceof HttpError)) return;
  const { code: reason, extra } = error;
  const refused = { method, reason, ...extra.attempt };
  const [status = 500] = services.errors[reason] ?? [];
  if (extra.attempt || errors.includes(reason)) recordRefusedSignIn(services, request, refused);
  else if (REFUSALS.includes(status)) logRefusedSignIn(services, request, refused);
}

/** The one line of a refused sign-in. */
export function logRefusedSignIn(
  { log }: Services,
  request: RequestInfo,
  { method, reason, userId }: RefusedSignIn,
): void {
  log.info({ requestId: request.id, method, reason, ip: request.ip, userId }, 'sign-in refused');
}

/**
 * Logs a refused sign-in and publishes it after the response, whose time tells nothing of the account. What
 * was typed as an address is kept only if it is an account's: people mistake the field for another.
 */
export function recordRefusedSignIn(
  services: Services,
  request: RequestInfo,
  refused: RefusedSignIn,
): void {
  logRefusedSignIn(services, request, refused);
  const { method, reason, userId, isProven } = refused;
  services.background.run('refused sign-in', async () => {
    const user = userId === undefined ? undefined : await services.users.findById(userId);
    services.events.publish(
      'identity.auth.login.failed',
      { method, reason, email: user?.email ?? '' },
      { request, ...(user ? { userId: user.id } : {}), ...(isProven ? {} : { actor: null }) },
    );
  });
}

/** Runs what follows a right first factor: a refusal says whose sign-in it was. */
export async function afterFirstFactor<T>(userId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw refuse(error.code, { ...error.extra, attempt: { userId, isProven: true } });
  }
}
