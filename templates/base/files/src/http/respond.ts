import { isConflict, isUnavailable } from '../db/errors.js';
import type { Services } from '../services.js';
import type { Progress } from './answer.js';
import { type Cookie, serializeCookie } from './cookies.js';
import { missingCsrfCookie } from './csrf.js';
import { HttpError, refuse } from './errors.js';
import { limitHeaders } from './limiter.js';
import { corsHeaders } from './origin.js';
import type { Reply, Route } from './route.js';

const RETRY_AFTER_SECONDS = '1';

/** A finished answer; a framework only writes it to the wire, so all frameworks answer alike. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | undefined;
}

/** The answer of a handler that returned. */
export function answerReply(
  services: Services,
  progress: Progress,
  route: Route,
  reply: Reply,
): Answer {
  return {
    status: reply.status ?? route.status ?? 200,
    headers: headersOf(services, progress, reply),
    body: reply.body === undefined ? undefined : JSON.stringify(reply.body),
  };
}

/**
 * The answer to anything thrown: the one place that turns errors into answers. A database that cannot
 * be used is a 503. Any other error that is not an HttpError is a defect: it is logged whole, and the
 * client is told nothing of it.
 */
export function answerFailure(
  services: Services,
  progress: Progress,
  error: unknown,
  fields: Record<string, unknown> = {},
): Answer {
  const failure = failureOf(error);
  if (failure.status >= 500) {
    services.log.error({ err: error, requestId: progress.request.id }, 'request failed');
  }
  const { details, headers = {}, fields: further } = failure.extra;
  return {
    status: failure.status,
    headers: headersOf(services, progress, { headers }, failure),
    body: JSON.stringify({
      error: failure.message,
      code: failure.code,
      details,
      ...fields,
      ...further,
    }),
  };
}

function failureOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (!isConflict(error) && !isUnavailable(error)) return refuse('INTERNAL');
  return refuse('UNAVAILABLE', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}

function headersOf(
  services: Services,
  progress: Progress,
  reply: Reply,
  failure?: HttpError,
): Answer['headers'] {
  const { config } = services;
  const { request, limit } = progress;
  const headers: Answer['headers'] = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': request.id,
    // Answers hold tokens or personal data: no cache may keep any of them (RFC 6749 §5.1).
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...corsHeaders(config, request.origin),
    ...limitHeaders(limit),
    ...reply.headers,
  };
  const cookies = withCsrfCookie(services, progress, reply.cookies ?? [], failure);
  if (cookies.length > 0) {
    headers['Set-Cookie'] = cookies.map((cookie) => serializeCookie(config, cookie));
  }
  return headers;
}

/** A reply that sets or clears the CSRF cookie itself has the last word: there is one for each answer. */
function withCsrfCookie(
  services: Services,
  { request, caller, isProbe }: Progress,
  cookies: Cookie[],
  failure?: HttpError,
): Cookie[] {
  if (isProbe || cookies.some((cookie) => cookie.name.endsWith('csrf-token'))) return cookies;
  const sessionId = failure?.extra.sessionId ?? caller?.sessionId;
  const wasRefused = failure?.code === 'CSRF_INVALID';
  return [...cookies, ...missingCsrfCookie(services, request, sessionId, wasRefused)];
}
