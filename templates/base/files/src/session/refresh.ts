import { readSessionCookies } from '../http/cookies.js';
import { isCsrfCookieOf } from '../http/cross-site.js';
import { refuse } from '../http/errors.js';
import type { RequestInfo } from '../http/request.js';
import type { Call, Result } from '../http/route.js';
import { now } from '../process/clock.js';
import { randomId } from '../process/random.js';
import type { Services } from '../services.js';
import { endSession } from './end-session.js';
import { expiryOf } from './finish-login.js';
import type { LiveSession, Rotation, UsedRefreshId } from './session-store.js';
import { type Claims, replyWithTokens, verifyToken } from './tokens.js';

type TokenInBody = { refreshToken?: string | undefined };

/**
 * Exchanges a refresh token, the body's or else the cookie's, for new tokens. Each use rotates it (RFC 9700
 * §4.14.2). A used token remains valid for REFRESH_REUSE_WINDOW, for parallel tabs and lost responses, and
 * yields the session's one live token; after that it can only be a stolen copy, and the whole session ends.
 * Throws INVALID_REFRESH_TOKEN, SESSION_REVOKED, ACCOUNT_DISABLED.
 */
export async function refresh({ body, request, services }: Call<TokenInBody>): Promise<Result> {
  const { config, keys, limiter } = services;
  const isCookie = body.refreshToken === undefined;
  const held = readSessionCookies(config, request, 'refreshToken');
  const tokens = isCookie ? held : [body.refreshToken];
  const claims = tokens
    .flatMap((token) => verifyToken(config, keys.refresh, 'refresh', token) ?? [])
    // A client may keep the refresh cookie alone; a browser has been given a CSRF cookie by any earlier response.
    .filter(({ sid = '' }) => !isCookie || isCsrfCookieOf(services, request, sid) !== false)
    // An older cookie is left over from another COOKIE_DOMAIN, not a stolen copy.
    .sort((one, other) => one.iat - other.iat)
    .at(-1);
  if (!claims?.sid) throw refuse('INVALID_REFRESH_TOKEN');
  await limiter.consume([['refreshOfSession', claims.sid]]);
  // A script on a page could ask for tokens in the body: a token that came in an HttpOnly cookie never leaves in one.
  const wantsBearer = request.wantsBearer && !isCookie;
  return refreshSession(services, { ...request, wantsBearer }, claims.sid, claims);
}

async function refreshSession(
  services: Services,
  request: RequestInfo,
  sessionId: string,
  claims: Claims,
): Promise<Result> {
  const found = await services.sessions.findWithAccount(sessionId);
  if (!found) {
    const user = await services.users.findById(claims.sub);
    throw refuse(user ? 'SESSION_REVOKED' : 'INVALID_REFRESH_TOKEN');
  }
  const { session, account } = found;
  if (session.userId !== claims.sub) throw refuse('INVALID_REFRESH_TOKEN');
  if (account.user.disabledAt !== null) throw refuse('ACCOUNT_DISABLED');
  if (session.refreshId !== claims.jti) {
    await requireRecentUse(services, request, session, claims.jti);
    return replyWithTokens(services, request, session, account);
  }
  const next = rotationOf(services, request, session);
  // SESSION_MAX_AGE may have been lowered.
  if (next.expiresAt <= next.lastActiveAt) throw refuse('INVALID_REFRESH_TOKEN');
  const rotated = 'identity.session.rotated';
  const isRotated = await services.transaction(async ({ sessions, events }) => {
    if (!(await sessions.rotate(session, next))) return false;
    events.publish(rotated, { sessionId: session.id }, { userId: session.userId, request });
    return true;
  }, rotated);
  // A parallel request was first: read the session as it is now, and answer that.
  if (!isRotated) return refreshSession(services, request, sessionId, claims);
  return replyWithTokens(services, request, { ...session, ...next }, account);
}

function rotationOf(services: Services, request: RequestInfo, session: LiveSession): Rotation {
  const time = now();
  const used: UsedRefreshId[] = [...session.usedRefreshIds, [session.refreshId, time]];
  return {
    refreshId: randomId(),
    usedRefreshIds: used.filter(([, usedAt]) => isWithinReuseWindow(services, usedAt)),
    lastActiveAt: time,
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
  return now() - usedAt < services.config.REFRESH_REUSE_WINDOW;
}
