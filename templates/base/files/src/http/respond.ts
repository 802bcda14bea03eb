import { isConflict, isUnavailable } from '../db/errors.js';
import type { Services } from '../services.js';
import type { Progress } from './answer.js';
import { type Cookie, serializeCookie } from './cookies.js';
import { missingCsrfCookie } from './csrf.js';
import { HttpError, refuse } from './errors.js';
import { limitHeaders } from './limiter.js';
import { corsHeaders } from './origin.js';
import type { Reply, Route } from './route.js';

/** With every 503: what failed is tried again, or is another instance's by then. */
export const RETRY_AFTER_SECONDS = '1';

/** A finished answer; a framework only writes it to the wire, so all frameworks answer alike. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The values of Set-Cookie, a header for each. */
  cookies: string[];
  body: string | undefined;
}

/** An answer to a request of that method, its length among its headers. */
export function finishAnswer(
  method: string,
  status: number,
  { headers, cookies }: Pick<Answer, 'headers' | 'cookies'>,
  body: string | undefined,
): Answer {
  // RFC 9110 §8.6: HEAD is told the length that GET would have; a 204 has none.
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
  else if (status !== 204 && method !== 'HEAD') headers['content-length'] = '0';
  return { status, headers, cookies, body: method === 'HEAD' ? undefined : body };
}

/** The answer of a handler that returned. */
export function answerReply(
  services: Services,
  progress: Progress,
  route: Route,
  reply: Reply,
): Answer {
  return finishAnswer(
    progress.request.method,
    reply.status ?? route.status ?? 200,
    headOf(services, progress, reply),
    reply.body === undefined ? undefined : JSON.stringify(reply.body),
  );
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
  const body = { error: failure.message, code: failure.code, details, ...fields, ...further };
  return finishAnswer(
    progress.request.method,
    failure.status,
    headOf(services, progress, { headers }, failure),
    JSON.stringify(body),
  );
}

/** True for what nobody has foreseen: neither a refusal nor a database that cannot be used now. */
export function isDefect(error: unknown): boolean {
  return !(error instanceof HttpError) && !isConflict(error) && !isUnavailable(error);
}

function failureOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (isDefect(error)) return refuse('INTERNAL');
  return refuse('UNAVAILABLE', { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
}

function headOf(
  services: Services,
  progress: Progress,
  reply: Reply,
  failure?: HttpError,
): Pick<Answer, 'headers' | 'cookies'> {
  const { config } = services;
  const { request, limit } = progress;
  const headers: Answer['headers'] = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': request.id,
    // Answers hold tokens or personal data: no cache may keep any of them (RFC 6749 §5.1).
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...corsHeaders(config, request.origin),
    ...limitHeaders(limit),
    ...progress.headers,
    ...(reply.headers ? inLowerCase(reply.headers) : undefined),
  };
  const cookies = withCsrfCookie(services, progress, reply.cookies ?? [], failure);
  return { headers, cookies: cookies.map((cookie) => serializeCookie(config, cookie)) };
}

function inLowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
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
