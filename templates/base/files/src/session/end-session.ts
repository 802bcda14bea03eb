import { setImmediate } from 'node:timers/promises';
import type { EventCause } from '../events/bus.js';
import { type Cookie, clearedSessionCookies, readSessionCookie } from '../http/cookies.js';
import { isBearerRequest, type RequestInfo } from '../http/request.js';
import { now } from '../process/clock.js';
import type { Services } from '../services.js';
import { verifyToken } from './tokens.js';

/** What made a session end; whose it was, the session itself says. */
type Cause = Omit<EventCause, 'userId'>;

/**
 * Ends one session of a user; false if they have no such session. Events carry `reason`: `logout`,
 * `revoked`, `reuse`, or a feature's own.
 */
export async function endSession(
  services: Services,
  cause: Cause,
  session: { id: string; userId: string },
  reason: string,
): Promise<boolean> {
  return services.transaction(async (tx) => {
    const wasEnded = await tx.sessions.revoke(session.id, session.userId);
    if (wasEnded) publishEnd(tx, cause, session, reason);
    return wasEnded;
  });
}

/** Ends all sessions of a user but `keptId`, and sign-ins that are half way. */
export async function endSessionsOfUser(
  services: Services,
  cause: Cause,
  userId: string,
  reason: string,
  keptId?: string,
): Promise<void> {
  await services.transaction(async (tx) => {
    for (const { credential } of tx.features) await credential?.stopSignIns?.(tx, userId);
    for (const id of await tx.sessions.revokeAllOfUser(userId, keptId)) {
      publishEnd(tx, cause, { id, userId }, reason);
    }
  });
}

function publishEnd(
  { events }: Services,
  cause: Cause,
  { id, userId }: { id: string; userId: string },
  reason: string,
): void {
  events.publish('identity.session.revoked', { sessionId: id, reason }, { ...cause, userId });
}

/**
 * Ends every session that any credential of the request belongs to; what does not verify is ignored.
 * An expired token will do: its session lives on, and its user wants to be logged out.
 */
export async function logOut(
  services: Services,
  request: RequestInfo,
  refreshTokenInBody: string | undefined,
): Promise<void> {
  const { config, keys } = services;
  const { bearerToken, cookies } = request;
  const verify = (type: 'access' | 'refresh', token: string | undefined) =>
    verifyToken(config, keys[type], type, token, { ignoreExpiration: true });
  const presented = [
    verify('access', bearerToken),
    verify('access', readSessionCookie(cookies, 'accessToken')),
    verify('refresh', refreshTokenInBody),
    verify('refresh', readSessionCookie(cookies, 'refreshToken')),
  ];
  for (const { sid: id, sub: userId } of presented.flatMap((claims) => claims ?? [])) {
    if (!id) continue;
    await services.transaction(async (tx) => {
      if (!(await endSession(tx, { request }, { id, userId }, 'logout'))) return;
      tx.events.publish('identity.auth.logout', { sessionId: id }, { userId, request });
    });
  }
}

/** Every cookie that a browser may hold; none for a client that carries its tokens itself. */
export function cookiesToClear(services: Services, request: RequestInfo): Cookie[] {
  const hasCookies = Object.keys(request.cookies).length > 0;
  return hasCookies || !isBearerRequest(request) ? clearedSessionCookies(services.config) : [];
}

/**
 * Disables an account and ends its sessions at once, in one transaction. False if there is no such
 * account, or it was disabled before.
 */
export async function disableUser(
  services: Services,
  userId: string,
  cause: Cause,
): Promise<boolean> {
  return services.transaction(async (tx) => {
    if (!(await tx.users.setDisabled(userId, now()))) return false;
    await endSessionsOfUser(tx, cause, userId, 'disabled');
    return true;
  });
}

const HOUR = 60 * 60 * 1000;

/**
 * Deletes expired sessions and one-time tokens; returns the number of sessions. All sessions are looked
 * at: an index of their ends would have to be rewritten with each refresh.
 */
export async function deleteExpiredSessions(services: Services): Promise<number> {
  const { oneTimeTokens, sessions } = services;
  await oneTimeTokens.deleteExpired(now());
  let count = 0;
  for (let page = await sessions.page(); page.length > 0; ) {
    const ended = page.filter(({ expiresAt }) => expiresAt <= now());
    if (ended.length > 0) count += await deleteSessions(services, ended);
    // A database that is read on this thread must let requests have their turn.
    await setImmediate();
    page = await sessions.page(page.at(-1)?.id);
  }
  return count;
}

function deleteSessions(services: Services, ended: { id: string }[]): Promise<number> {
  const ids = ended.map(({ id }) => id);
  return services.transaction(async ({ sessions, events }) => {
    const expired = await sessions.deleteExpired(ids, now());
    for (const { id, userId } of expired) {
      events.publish('identity.session.expired', { sessionId: id }, { userId });
    }
    return expired.length;
  });
}

/** Cleans up every hour; the returned function stops it. */
export function cleanUpHourly(services: Services): () => void {
  const timer = setInterval(() => {
    services.background.run('session cleanup', async () => {
      await deleteExpiredSessions(services);
    });
  }, HOUR);
  timer.unref();
  return () => clearInterval(timer);
}
