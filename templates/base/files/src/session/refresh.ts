import { readSessionCookie } from '../http/cookies.js';
import { refuse } from '../http/errors.js';
import type { RequestInfo } from '../http/request.js';
import type { Result } from '../http/route.js';
import { now } from '../process/clock.js';
import { randomId } from '../process/random.js';
import type { Services } from '../services.js';
import { endSession } from './end-session.js';
import { expiryOf } from './finish-login.js';
import { replyWithTokens } from './issue-tokens.js';
import type { LiveSession, Rotation, UsedRefreshId } from './session.js';
import { type Claims, verifyToken } from './tokens.js';

/** The refresh token of a request: the body's, else the cookie's. */
export function refreshTokenOf(request: RequestInfo, inBody: string | undefined) {
  return inBody ?? readSessionCookie(request.cookies, 'refreshToken');
}

/** The claims of a refresh token with its session's id. Throws INVALID_REFRESH_TOKEN. */
export function verifyRefreshToken(
  services: Services,
  token: string | undefined,
): Claims & { sid: string } {
  const { config, keys } = services;
  const claims = token ? verifyToken(config, keys.refresh, 'refresh', token) : undefined;
  if (!claims || !namesSession(claims)) throw refuse('INVALID_REFRESH_TOKEN');
  return claims;
}

function namesSession(claims: Claims): claims is Claims & { sid: string } {
  return typeof claims.sid === 'string';
}

/**
 * Exchanges a refresh token for new tokens. Each use rotates it (RFC 9700 §4.14.2). A used token is
 * good again for REFRESH_REUSE_WINDOW, for parallel tabs and lost answers, and yields the session's
 * one live token; later it can only be a stolen copy, and the whole session ends.
 * Throws INVALID_REFRESH_TOKEN, SESSION_REVOKED, ACCOUNT_DISABLED.
 */
export async function refreshSession(
  services: Services,
  request: RequestInfo,
  claims: Claims & { sid: string },
): Promise<Result> {
  const found = await services.sessions.findWithAccount(claims.sid);
  if (!found) {
    const user = await services.users.findById(claims.sub);
    throw refuse(user ? 'SESSION_REVOKED' : 'INVALID_REFRESH_TOKEN');
  }
  const { session, account } = found;
  if (session.userId !== claims.sub) throw refuse('INVALID_REFRESH_TOKEN');
  if (account.user.disabledAt !== null) throw refuse('ACCOUNT_DISABLED');
  if (session.expiresAt <= now()) throw refuse('INVALID_REFRESH_TOKEN');
  if (session.refreshId !== claims.jti) {
    await requireRecentUse(services, request, session, claims.jti);
    return replyWithTokens(services, request, session, account);
  }
  const next = rotationOf(services, request, session);
  const rotated = 'identity.session.rotated';
  const isRotated = await services.withEvents(async ({ sessions, events }) => {
    if (!(await sessions.rotate(session, next))) return false;
    events.publish(rotated, { sessionId: session.id }, { userId: session.userId, request });
    return true;
  }, rotated);
  // Lost against a parallel request: what it made of the session is read and answered.
  if (!isRotated) return refreshSession(services, request, claims);
  return replyWithTokens(services, request, { ...session, ...next }, account);
}

function rotationOf(services: Services, request: RequestInfo, session: LiveSession): Rotation {
  const time = now();
  const used: UsedRefreshId[] = [...session.usedRefreshIds, [session.refreshId, time]];
  return {
    refreshId: randomId(),
    usedRefreshIds: used.filter(([, usedAt]) => isWithinReuseWindow(services, usedAt)),
    rotatedAt: time,
    expiresAt: expiryOf(services, session.createdAt, time),
    userAgent: request.userAgent,
    ipAddress: request.ip,
  };
}

/** Ends the session of a token that was used before the reuse window. Throws SESSION_REVOKED. */
async function requireRecentUse(
  services: Services,
  request: RequestInfo,
  session: LiveSession,
  refreshId: string,
): Promise<void> {
  const used = session.usedRefreshIds.find(([id]) => id === refreshId);
  if (used && isWithinReuseWindow(services, used[1])) return;
  await endSession(services, { actor: null, request }, session, 'reuse');
  throw refuse('SESSION_REVOKED');
}

function isWithinReuseWindow(services: Services, usedAt: number): boolean {
  const window = services.config.REFRESH_REUSE_WINDOW;
  return window > 0 && now() - usedAt <= window;
}
