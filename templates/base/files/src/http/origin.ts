import type { Config } from '../config.js';
import { refuse } from './errors.js';
import type { RequestFacts } from './request.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const EXPOSED = 'X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset';
const REQUEST_HEADERS =
  'Authorization, Content-Type, X-Auth-Strategy, X-Correlation-Id, X-CSRF-Token';
const PREFLIGHT_SECONDS = 600;

/** True for a method that by RFC 9110 §9.2.1 changes nothing. */
export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * Refuses an unsafe request that a browser sent from a page of an unknown origin: this stops login
 * CSRF, where there is no session yet that a token could be bound to. Throws ORIGIN_NOT_ALLOWED.
 */
export function requireAllowedOrigin(config: Config, request: RequestFacts): void {
  if (isSafeMethod(request.method) || request.origin === undefined) return;
  if (!config.ALLOWED_ORIGINS.includes(request.origin)) throw refuse('ORIGIN_NOT_ALLOWED');
}

/** CORS headers of an answer; none for an origin that is not in ALLOWED_ORIGINS. */
export function corsHeaders(config: Config, origin: string | undefined): Record<string, string> {
  if (origin === undefined || !config.ALLOWED_ORIGINS.includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
  };
}

/** What a preflight of an allowed origin is told besides. */
export function preflightHeaders(allow: string): Record<string, string> {
  return {
    'access-control-allow-methods': allow,
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  };
}
