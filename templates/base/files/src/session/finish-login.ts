import type * as z from 'zod';
import type { ErrorCode } from '../feature.js';
import { HttpError, refuse } from '../http/errors.js';
import type { RequestInfo } from '../http/request.js';
import type { Result, Route } from '../http/route.js';
import { now } from '../process/clock.js';
import { randomId } from '../process/random.js';
import type { Services } from '../services.js';
import type { Account } from '../users/account.js';
import { deviceCookie, knownDevice } from './device.js';
import { endReplacedSession, endSession } from './end-session.js';
import { strongFactorsOf } from './reauthentication.js';
import type { LiveSession } from './session-store.js';
import { replyWithTokens } from './tokens.js';

/** How many sessions a user has; the next ends the one that was active longest ago. Lists of more would be slow for all. */
const MOST_SESSIONS = 100;

/** How a user signed in, for the session, the event and the checks. */
export interface SignIn {
  userId: string;
  /** The method's name in events and sessions, such as `local`. */
  method: string;
  /** Who vouched for the user, if not this service. */
  provider?: string | undefined;
  /**
   * Throws if the proof of who the user is no longer holds. Called in the transaction that opens the
   * session and has locked the user, since the proof may have been changed after it was checked.
   */
  confirm(tx: Services): Promise<void>;
  /** The method that was used before this one, if the sign-in took two. */
  firstMethod?: string;
  /** True if it lets somebody in but does not show who owns the account: the session is not fresh. */
  isWeak?: boolean;
}

/** A feature's check before tokens are issued to an authenticated user. */
export interface LoginCheck {
  refuses: ErrorCode[];
  /** Fields that a refusal may carry beside `error` and `code`. */
  refusalFields?: z.ZodObject;
  /** What it may answer instead of tokens. */
  challenge?: z.ZodType;
  /** Throws to refuse, returns a reply to ask for something else first, or undefined to pass. */
  check(
    services: Services,
    account: Account,
    signIn: SignIn,
    request: RequestInfo,
  ): Promise<Result | undefined>;
}

/**
 * Every sign-in method ends here once it knows who the user is: the one place that decides whether
 * tokens are issued, so no method can leave a check out.
 * Throws ACCOUNT_DISABLED, only now that the credential was right: others must not learn of it.
 */
export function finishLogin(
  services: Services,
  request: RequestInfo,
  signIn: SignIn,
): Promise<Result> {
  const { userId, method, provider } = signIn;
  return afterFirstFactor(userId, async () => {
    const account = await services.users.findAccount(userId);
    if (!account) throw refuse('INVALID_TOKEN');
    if (account.user.disabledAt !== null) throw refuse('ACCOUNT_DISABLED');
    const strong = await strongFactorsOf(services, account);
    for (const { loginCheck } of services.features) {
      const reply = await loginCheck?.check(services, account, signIn, request);
      if (reply) return reply;
    }
    const session = await services.transaction(async (tx) => {
      await requireEnabled(tx, userId);
      if (await isStrengthened(tx, account, strong.length)) return undefined;
      await signIn.confirm(tx);
      const started = await startSession(tx, request, signIn);
      await endReplacedSession(tx, request, userId);
      const data = { method, ...(provider ? { provider } : {}) };
      tx.events.publish('identity.auth.login.success', data, { userId, request });
      return started;
    });
    if (!session) return finishLogin(services, request, signIn);
    const { body, cookies = [] } = replyWithTokens(services, request, session, account);
    if (!request.wantsBearer) cookies.push(deviceCookie(services, request, userId));
    return { body, cookies, opensSession: true };
  });
}

/**
 * In a transaction: locks the user, so that no session or challenge opened while all are being ended escapes.
 * Throws ACCOUNT_DISABLED.
 */
export async function requireEnabled(tx: Services, userId: string): Promise<void> {
  const user = await tx.users.lock(userId);
  if (user && user.disabledAt !== null) throw refuse('ACCOUNT_DISABLED');
}

/** In a transaction that has locked the user: true if the account has gained a strong factor since it was read. */
async function isStrengthened(tx: Services, account: Account, strongCount: number) {
  const current = (await tx.users.findAccount(account.user.id)) ?? account;
  return (await strongFactorsOf(tx, current)).length > strongCount;
}

/**
 * Opens a session for a user who has just been authenticated. It gets a new id whatever the request
 * carried, which prevents session fixation.
 */
export async function startSession(
  services: Services,
  request: RequestInfo,
  { userId, method, firstMethod, isWeak }: Omit<SignIn, 'confirm'>,
): Promise<LiveSession> {
  const time = now();
  const session = {
    id: randomId(),
    userId,
    factors: { ...(firstMethod ? { [firstMethod]: time } : {}), [method]: isWeak ? 0 : time },
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
    for (const id of await tx.sessions.idsBeyond(userId, MOST_SESSIONS)) {
      await endSession(tx, { request, actor: userId }, { id, userId }, 'replaced');
    }
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
  userId?: string;
  /** True after a correct first factor: then it is known who failed. */
  isProven?: boolean;
}

const REFUSALS = [401, 403, 429];

/**
 * Records a refusal that a sign-in route threw. A foreign origin, or a limit before a correct first factor, is
 * only logged: no credential was checked, and a flood of such requests could fill the database.
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

export function logRefusedSignIn(
  { log }: Services,
  request: RequestInfo,
  { method, reason, userId }: RefusedSignIn,
): void {
  log.info({ requestId: request.id, method, reason, ip: request.ip, userId }, 'sign-in refused');
}

/**
 * Logs a refused sign-in and publishes it after the response, so that timing reveals nothing about the account.
 * What was typed as an address is kept only if an account has it: people mistake the field for another.
 */
export function recordRefusedSignIn(
  services: Services,
  request: RequestInfo,
  refused: RefusedSignIn,
): void {
  logRefusedSignIn(services, request, refused);
  const { method, reason, userId, isProven } = refused;
  const record = async ({ events, users }: Services) => {
    // Locked: deleting an account clears the entries that name it, so none may be added afterwards.
    const user = userId === undefined ? undefined : await users.lock(userId);
    events.publish(
      'identity.auth.login.failed',
      { method, reason, email: user?.email ?? '' },
      { request, ...(user ? { userId: user.id } : {}), ...(isProven ? {} : { actor: null }) },
    );
  };
  services.background.run('refused sign-in', () => services.transaction(record));
}

/** Runs the steps after a correct first factor: a refusal then names the user who was signing in. */
export async function afterFirstFactor<T>(userId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw refuse(error.code, { ...error.extra, attempt: { userId, isProven: true } });
  }
}
