import { type Cookie, clearedSessionCookies, readSessionCookie } from '../http/cookies.js';
import { isBearerRequest, type RequestFacts } from '../http/request.js';
import { type Services, withEvents } from '../services.js';
import { endSession } from './end-session.js';
import { type Claims, verifyToken } from './tokens.js';

/** Ends every session that any credential of the request belongs to; what does not verify is ignored. */
export async function logOut(
  services: Services,
  request: RequestFacts,
  refreshTokenInBody: string | undefined,
): Promise<void> {
  const sessions = new Map<string, string>();
  for (const claims of credentialsOf(services, request, refreshTokenInBody)) {
    if (typeof claims?.sid === 'string') sessions.set(claims.sid, claims.sub);
  }
  await withEvents(services, async (inside) => {
    for (const [id, userId] of sessions) {
      if (!(await endSession(inside, { request }, { id, userId }, 'logout'))) continue;
      inside.events.publish('identity.auth.logout', { sessionId: id }, { userId, request });
    }
  });
}

/** Every cookie that a browser may hold; none for a client that carries its tokens itself. */
export function cookiesToClear(services: Services, request: RequestFacts): Cookie[] {
  const hasCookies = Object.keys(request.cookies).length > 0;
  return hasCookies || !isBearerRequest(request) ? clearedSessionCookies(services.config) : [];
}

function credentialsOf(
  services: Services,
  request: RequestFacts,
  refreshTokenInBody: string | undefined,
): (Claims | undefined)[] {
  const { config, keys } = services;
  const access = (token = '') => verifyToken(config, keys.access, 'access', token);
  const refresh = (token = '') => verifyToken(config, keys.refresh, 'refresh', token);
  return [
    access(request.bearerToken),
    access(readSessionCookie(request.cookies, 'accessToken')),
    refresh(refreshTokenInBody),
    refresh(readSessionCookie(request.cookies, 'refreshToken')),
  ];
}
