import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { randomToken } from '../process/random.js';
import type { Services } from '../services.js';
import type { Caller } from '../session/authenticate.js';
import { type Cookie, readSessionCookie, sessionCookie } from './cookies.js';
import { isSafeMethod } from './cors.js';
import { refuse } from './errors.js';
import { isBearerRequest, type RequestInfo } from './request.js';

/** Stands for the session in the token of a browser that has none yet. */
const NO_SESSION = 'none';

/**
 * The signed double submit of OWASP's CSRF cheat sheet: `random.hmac(session, random)`. Bound to
 * the session, so a token planted by a sibling domain is worthless for the victim's session.
 */
export function createCsrfToken(key: KeyObject, sessionId: string = NO_SESSION): string {
  const random = randomToken();
  return `${random}.${seal(key, sessionId, random)}`;
}

/** True for a token that this service made for this session. */
export function isCsrfTokenOf(key: KeyObject, token: string, sessionId: string): boolean {
  const [random = '', mac = ''] = token.split('.');
  return equalStrings(mac, seal(key, sessionId, random));
}

/** Refuses an unsafe request whose credential a browser attached by itself. Throws CSRF_INVALID. */
export function requireCsrfToken(services: Services, request: RequestInfo, caller: Caller): void {
  if (!services.config.CSRF || isSafeMethod(request.method) || caller.via !== 'cookie') return;
  const cookie = readSessionCookie(request.cookies, 'csrf-token');
  const { csrfToken } = request;
  const isValid =
    cookie !== undefined &&
    csrfToken !== undefined &&
    equalStrings(cookie, csrfToken) &&
    isCsrfTokenOf(services.keys.csrf, cookie, caller.sessionId);
  if (!isValid) throw refuse('CSRF_INVALID', { sessionId: caller.sessionId });
}

/** The cookie for a browser that has none, or that was just refused for a wrong one; it lives as long as a refresh token. */
export function missingCsrfCookie(
  { config, keys }: Pick<Services, 'config' | 'keys'>,
  request: RequestInfo,
  sessionId: string | undefined,
  wasRefused: boolean,
): Cookie[] {
  if (!config.CSRF || isBearerRequest(request)) return [];
  if (!wasRefused && readSessionCookie(request.cookies, 'csrf-token')) return [];
  const maxAge = Math.floor(config.REFRESH_TOKEN_TTL / 1000);
  return [sessionCookie(config, 'csrf-token', createCsrfToken(keys.csrf, sessionId), maxAge)];
}

function seal(key: KeyObject, sessionId: string, random: string): string {
  return createHmac('sha256', key).update(`${sessionId}.${random}`).digest('hex');
}

function equalStrings(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
