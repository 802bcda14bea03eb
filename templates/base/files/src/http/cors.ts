import type { Config } from '../config.js';
import { refuse } from './errors.js';
import type { RequestInfo } from './request.js';

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
export function requireAllowedOrigin(config: Config, request: RequestInfo): void {
  if (isSafeMethod(request.method) || request.origin === undefined) return;
  if (!config.ALLOWED_ORIGINS.includes(request.origin)) throw refuse('ORIGIN_NOT_ALLOWED');
}

/** CORS headers of a response; an origin that is not in ALLOWED_ORIGINS gets none. */
export function corsHeaders(config: Config, origin: string | undefined): Record<string, string> {
  if (origin === undefined || !config.ALLOWED_ORIGINS.includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
  };
}

/** CORS headers of a preflight: with the methods that an allowed origin may use. */
export function preflightHeaders(
  config: Config,
  origin: string | undefined,
  methods: string,
): Record<string, string> {
  const headers = corsHeaders(config, origin);
  if (!('access-control-allow-origin' in headers)) return headers;
  return {
    ...headers,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  };
}

/**
 * CORS of your own routes, below which no row of the route table knows the methods: the headers of the response,
 * and whether the request was a preflight of an allowed origin, to be answered with 204.
 */
export function ownCors(
  config: Config,
  method: string | undefined,
  {
    origin,
    'access-control-request-method': wanted,
  }: Record<string, string | string[] | undefined>,
): { headers: Record<string, string>; isPreflight: boolean } {
  const from = typeof origin === 'string' ? origin : undefined;
  if (method !== 'OPTIONS' || typeof wanted !== 'string') {
    return { headers: corsHeaders(config, from), isPreflight: false };
  }
  const headers = preflightHeaders(config, from, wanted);
  return { headers, isPreflight: 'access-control-allow-origin' in headers };
}
