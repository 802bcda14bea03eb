import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.js';
import { randomId, randomToken } from '../process/random.js';
import type { Services } from '../services.js';
import type { Caller } from '../session/authenticate.js';
import {
  type Cookie,
  isHostOnly,
  readSessionCookie,
  readSessionCookies,
  sessionCookie,
} from './cookies.js';
import { refuse } from './errors.js';
import { isBearerRequest, type RequestInfo } from './request.js';

/** These methods change nothing (RFC 9110 §9.2.1). */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const EXPOSED = 'X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset';
const REQUEST_HEADERS =
  'Authorization, Content-Type, X-Auth-Strategy, X-Correlation-Id, X-CSRF-Token';
const PREFLIGHT_SECONDS = 600;

/**
 * Refuses an unsafe request that a browser sent from a page of an unknown origin. This stops login
 * CSRF, where there is no session yet to bind a token to. Throws ORIGIN_NOT_ALLOWED.
 */
export function requireAllowedOrigin(config: Config, request: RequestInfo): void {
  const { method, origin } = request;
  // A page of any site can open a WebSocket: its handshake is a GET with cookies, and CORS does not apply to it.
  const isSafe = SAFE_METHODS.includes(method) && !request.header('upgrade');
  if (isSafe || origin === undefined) return;
  // In development pages are opened at either name of this machine.
  const isOwn =
    !config.isProduction && origin.replace('127.0.0.1', 'localhost') === config.BASE_URL;
  if (!isOwn && !config.ALLOWED_ORIGINS.includes(origin)) throw refuse('ORIGIN_NOT_ALLOWED');
}

/** CORS headers of a response, or of a preflight for `methods`; none for an origin that is not in ALLOWED_ORIGINS. */
export function corsHeaders(
  config: Config,
  origin: string | undefined,
  methods?: string,
): { vary: string } & Record<string, string> {
  if (origin === undefined || !config.ALLOWED_ORIGINS.includes(origin)) return { vary: 'Origin' };
  const headers = {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
  };
  if (methods === undefined) return { ...headers, 'access-control-expose-headers': EXPOSED };
  return {
    ...headers,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  };
}

/** CORS of your own routes, whose methods are not known. Answer the preflight of an allowed origin with 204. */
export function ownCors(config: Config, { method, headers: sent }: IncomingMessage) {
  const methods = method === 'OPTIONS' ? sent['access-control-request-method'] : undefined;
  const headers = corsHeaders(config, sent.origin, methods);
  const isPreflight = 'access-control-allow-methods' in headers;
  if (isPreflight) headers['x-request-id'] = randomId();
  return { headers, isPreflight };
}

const NO_SESSION = 'none';

/**
 * The signed double-submit cookie of OWASP's CSRF cheat sheet: `random.hmac(session, random)`. Bound
 * to the session, or to `none`, so a token planted by a sibling domain is worthless for the victim's session.
 */
export function createCsrfToken([key]: [KeyObject, ...KeyObject[]], sessionId = NO_SESSION) {
  const random = `${sessionId === NO_SESSION ? NO_SESSION : ''}${randomToken()}`;
  return `${random}.${seal(key, sessionId, random)}`;
}

/** True for a token that this service made for this session, with any of the keys. */
export function isCsrfTokenOf(keys: KeyObject[], token: string, sessionId: string): boolean {
  const [random = '', mac = ''] = token.split('.');
  return keys.some((key) => equalStrings(mac, seal(key, sessionId, random)));
}

/**
 * True if the CSRF cookie belongs to this session: then no sibling domain has planted the refresh cookie, which has no
 * `__Host-` name, because it is sent below AUTH_PREFIX only. Also true where the CSRF cookie has none; undefined
 * without a CSRF cookie.
 */
export function isCsrfCookieOf(
  { config, keys }: Services,
  request: RequestInfo,
  sessionId: string,
): boolean | undefined {
  if (!config.CSRF || !isHostOnly(config, 'csrf-token')) return true;
  const cookie = readSessionCookie(config, request, 'csrf-token');
  return cookie ? isCsrfTokenOf(keys.csrf, cookie, sessionId) : undefined;
}

/** Refuses an unsafe request whose credential a browser attached by itself. Throws CSRF_INVALID. */
export function requireCsrfToken(services: Services, request: RequestInfo, caller: Caller): void {
  const { csrfToken = '', method } = request;
  if (!services.config.CSRF || SAFE_METHODS.includes(method) || caller.via !== 'cookie') return;
  // Of several, a page reads one: another may be left over from a former COOKIE_DOMAIN.
  const cookies = readSessionCookies(services.config, request, 'csrf-token');
  const isSent = cookies.some((cookie) => equalStrings(cookie, csrfToken));
  const isValid = isSent && isCsrfTokenOf(services.keys.csrf, csrfToken, caller.sessionId);
  if (!isValid) throw refuse('CSRF_INVALID', { sessionId: caller.sessionId });
}

/** The CSRF cookie for a browser that has none or was just refused; it lives as long as a refresh token. */
export function missingCsrfCookie(
  { config, keys }: Services,
  request: RequestInfo,
  sessionId: string | undefined,
  wasRefused: boolean,
): Cookie[] {
  if (!config.CSRF || isBearerRequest(request)) return [];
  const current = readSessionCookie(config, request, 'csrf-token');
  // A late response may have replaced the cookie that a sign-in set: a refresh with it would be refused.
  const isOfNobody = sessionId && current?.startsWith(NO_SESSION);
  if (!wasRefused && current && !isOfNobody) return [];
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
