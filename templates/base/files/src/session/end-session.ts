import { setImmediate } from 'node:timers/promises';
import { deleteOldCounts } from '../db/rate-limits.js';
import type { Cause } from '../events/bus.js';
import {
  type Cookie,
  clearedSessionCookies,
  readSessionCookie,
  readSessionCookies,
} from '../http/cookies.js';
import { isCsrfCookieOf } from '../http/cross-site.js';
import { isBearerRequest, type RequestInfo } from '../http/request.js';
import { now } from '../process/clock.js';
import type { Services } from '../services.js';
import type { OwnBrowser } from './credentials.js';
import { verifyToken } from './tokens.js';

/** The kinds of one-time token of unfinished sign-ins begin with this. */
export const CHALLENGE = 'challenge:';

/**
 * Ends one session of a user; false if they have no such session. Events carry `reason`: `logout`,
 * `revoked`, `replaced`, `reuse`, or a feature's own.
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

/** Ends all sessions of a user except `keptId`, and unfinished sign-ins. */
export async function endSessionsOfUser(
  services: Services,
  cause: Cause,
  userId: string,
  reason: string,
  keptId?: string,
): Promise<void> {
  await services.transaction(async (tx) => {
    // A sign-in at this moment either has its session ended here, or finds its proof void.
    await tx.users.lock(userId);
    await tx.oneTimeTokens.revokeAll(userId, CHALLENGE);
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
 * The sessions that the tokens of a request belong to. Expired tokens count too: their session may
 * still be live. Tokens that do not verify are ignored.
 */
function sessionsOf(
  { config, keys }: Services,
  request: RequestInfo,
  refreshTokenInBody?: string,
): { id: string; userId: string; isBearer: boolean }[] {
  const cookies = readSessionCookies(config, request, 'refreshToken');
  const tokens = [
    ['access', request.bearerToken],
    ['access', readSessionCookie(config, request, 'accessToken')],
    ...[refreshTokenInBody, ...cookies].map((token) => ['refresh', token] as const),
  ] as const;
  return tokens.flatMap(([type, token]) => {
    const claims = verifyToken(config, keys[type], type, token, { ignoreExpiration: true });
    const isBearer = token === request.bearerToken;
    return claims?.sid ? [{ id: claims.sid, userId: claims.sub, isBearer }] : [];
  });
}

/**
 * True if the request carries a live session of the user, not opened by a weak sign-in alone. A cookie that a sibling
 * domain may have planted does not count, whatever else the request says.
 */
export const holdsSession: OwnBrowser = async (services, request, userId) => {
  for (const { id, isBearer } of sessionsOf(services, request)) {
    if (!isBearer && !isCsrfCookieOf(services, request, id)) continue;
    const session = await services.sessions.find(id);
    if (session?.userId === userId && Object.values(session.factors).some(Boolean)) return true;
  }
  return false;
};

/** Ends every session that any credential of the request belongs to. */
export async function logOut(
  services: Services,
  request: RequestInfo,
  refreshTokenInBody: string | undefined,
): Promise<void> {
  for (const session of sessionsOf(services, request, refreshTokenInBody)) {
    await services.transaction(async (tx) => {
      if (!(await endSession(tx, { request }, session, 'logout'))) return;
      const { id: sessionId, userId } = session;
      tx.events.publish('identity.auth.logout', { sessionId }, { userId, request });
    });
  }
}

/**
 * Ends the session in a browser's cookies when `actor` signs in there: the new cookies replace
 * them, so nobody could end it, and it may belong to somebody who used the browser before.
 */
export async function endReplacedSession(
  services: Services,
  request: RequestInfo,
  actor: string,
): Promise<void> {
  if (request.wantsBearer) return;
  for (const session of sessionsOf(services, { ...request, bearerToken: undefined })) {
    await endSession(services, { request, actor }, session, 'replaced');
  }
}

/** Every cookie that a browser may hold; none for a client that carries its tokens itself. */
export function cookiesToClear(services: Services, request: RequestInfo): Cookie[] {
  const hasCookies = Object.keys(request.cookies).length > 0;
  return hasCookies || !isBearerRequest(request) ? clearedSessionCookies(services.config) : [];
}

/**
 * Disables an account, ends its sessions at once and voids what was mailed to it, in one transaction:
 * enabling it again revives nothing. False if there is no such account, or it was already disabled.
 */
export async function disableUser(
  services: Services,
  userId: string,
  cause: Cause,
): Promise<boolean> {
  return services.transaction(async (tx) => {
    if (!(await tx.users.setDisabled(userId, now()))) return false;
    await endSessionsOfUser(tx, cause, userId, 'disabled');
    await tx.oneTimeTokens.revokeAll(userId);
    return true;
  });
}

/**
 * Deletes expired sessions, one-time tokens and counts; returns the number of sessions. It reads all
 * sessions: an index on their expiry would have to be rewritten with each refresh.
 */
export async function deleteExpiredSessions(
  services: Services,
  cause: Cause = {},
): Promise<number> {
  await services.oneTimeTokens.deleteExpired(now());
  await deleteOldCounts(services.db);
  for (let count = 0; ; ) {
    const ended = await services.transaction(async ({ sessions, events }) => {
      const expired = await sessions.deleteExpired(now());
      for (const { id, userId } of expired) {
        events.publish('identity.session.expired', { sessionId: id }, { ...cause, userId });
      }
      return expired.length;
    });
    if (ended === 0) return count;
    count += ended;
    // Requests get their turn, where a database answers at once.
    await setImmediate();
  }
}
