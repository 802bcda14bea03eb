import { createHmac, createSecretKey, hkdfSync, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { LoadRequest } from './load-job.js';
import type { SeededUser } from './seed.js';
import { ACCESS_TOKEN_SECRET, BASE_URL, REFRESH_TOKEN_SECRET } from './service.js';

export const PASSWORD = 'correct horse battery staple';
const JSON_BODY = { 'Content-Type': 'application/json' };
/** Long enough for the longest run. */
const TOKEN_LIFE = '2h';

/** `POST /login` of a user. */
export function loginRequest(user: SeededUser): LoadRequest {
  const body = JSON.stringify({ email: user.email, password: PASSWORD });
  return { method: 'POST', path: '/auth/login', headers: JSON_BODY, body };
}

/** A user's requests: as a browser sends them in the first session, as an API client in the second. */
export function requestsOf(user: SeededUser) {
  const [browser, client] = user.sessions.map((session) => tokensOf(user, session));
  const path = '/auth/refresh';
  return {
    meByCookie: me({ Cookie: cookies(browser?.access, browser?.refresh, browser?.csrf) }),
    meByBearer: me({ Authorization: `Bearer ${client?.access}` }),
    refreshByCookie: {
      method: 'POST',
      path,
      headers: { Cookie: cookies(browser?.access, '{token}', browser?.csrf) },
      token: browser?.refresh ?? '',
    },
    refreshByBearer: {
      method: 'POST',
      path,
      headers: { ...JSON_BODY, 'X-Auth-Strategy': 'bearer' },
      body: '{"refreshToken":"{token}"}',
      token: client?.refresh ?? '',
    },
  } satisfies Record<string, LoadRequest>;
}

function me(headers: Record<string, string>): LoadRequest {
  return { method: 'GET', path: '/auth/me', headers };
}

/** What a browser sends to the service after a sign-in over https. */
function cookies(accessToken = '', refreshToken = '', csrfToken = ''): string {
  return `__Host-accessToken=${accessToken}; __Secure-refreshToken=${refreshToken}; __Host-csrf-token=${csrfToken}`;
}

function tokensOf(user: SeededUser, session: { id: string; refreshId: string }) {
  const common = { sub: user.id, sid: session.id };
  const identity = {
    email: user.email,
    role: 'user',
    loginProvider: 'local',
    isEmailVerified: false,
    isTotpEnabled: false,
  };
  return {
    access: sign(ACCESS_TOKEN_SECRET, { ...common, ...identity, typ: 'access', jti: randomUUID() }),
    refresh: sign(REFRESH_TOKEN_SECRET, { ...common, typ: 'refresh', jti: session.refreshId }),
    csrf: csrfToken(session.id),
  };
}

/** As the service makes it, so that it keeps it: a browser's stays the same from refresh to refresh. */
function csrfToken(sessionId: string): string {
  const random = '0123456789abcdef'.repeat(4);
  const key = Buffer.from(hkdfSync('sha256', ACCESS_TOKEN_SECRET, '', 'csrf', 32));
  return `${random}.${createHmac('sha256', key).update(`${sessionId}.${random}`).digest('hex')}`;
}

function sign(secret: string, claims: object): string {
  const key = createSecretKey(Buffer.from(secret));
  return jwt.sign(claims, key, { expiresIn: TOKEN_LIFE, issuer: BASE_URL, audience: BASE_URL });
}
