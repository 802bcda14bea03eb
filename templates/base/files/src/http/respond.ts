import type { Services } from '../services.js';
import type { Progress } from './answer.js';
import { serializeCookie } from './cookies.js';
import { missingCsrfCookie } from './csrf.js';
import { HttpError } from './errors.js';
import { limitHeaders } from './limiter.js';
import { corsHeaders } from './origin.js';
import type { Reply, Route } from './route.js';

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
    headers: headersOf(services, progress, reply, false),
    body: reply.body === undefined ? undefined : JSON.stringify(reply.body),
  };
}

/**
 * The answer to anything thrown: the one place that turns errors into answers. An error that is not
 * an HttpError is a defect: it is logged whole, and the client is told nothing of it.
 */
export function answerFailure(
  services: Services,
  progress: Progress,
  error: unknown,
  fields: Record<string, unknown> = {},
): Answer {
  const failure = error instanceof HttpError ? error : new HttpError('INTERNAL');
  if (failure.status >= 500) {
    services.log.error({ err: error, requestId: progress.request.id }, 'request failed');
  }
  const { details, headers = {}, fields: further } = failure.extra;
  return {
    status: failure.status,
    headers: headersOf(services, progress, { headers }, failure.code === 'CSRF_INVALID'),
    body: JSON.stringify({
      error: failure.message,
      code: failure.code,
      details,
      ...fields,
      ...further,
    }),
  };
}

function headersOf(
  services: Services,
  progress: Progress,
  reply: Reply,
  isCsrfRefusal: boolean,
): Answer['headers'] {
  const { config } = services;
  const { request, caller, limit } = progress;
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
  const cookies = reply.cookies ?? [];
  const all = cookies.some((cookie) => cookie.name.endsWith('csrf-token'))
    ? cookies
    : [...cookies, ...missingCsrfCookie(services, request, caller?.sessionId, isCsrfRefusal)];
  if (all.length > 0) headers['Set-Cookie'] = all.map((cookie) => serializeCookie(config, cookie));
  return headers;
}
