import { isConflict, isUnavailable } from '../db/errors.js';
import { isMigrated } from '../db/migrate.js';
import type { Services } from '../services.js';
import type { Caller } from '../session/authenticate.js';
import { type Cookie, serializeCookie } from './cookies.js';
import { corsHeaders } from './cors.js';
import { missingCsrfCookie } from './csrf.js';
import { HttpError, httpErrors, refuse } from './errors.js';
import { type LimitState, limitHeaders } from './limits.js';
import type { RequestInfo } from './request.js';
import type { Result, Route } from './route.js';

/** A finished response; a framework only writes it, so all frameworks answer alike. */
export interface HttpResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The values of Set-Cookie, a header for each. */
  cookies: string[];
  body: string | undefined;
}

/** What is known of a request so far; a failure at any step is answered with it. */
export interface RequestContext {
  request: RequestInfo;
  caller?: Caller;
  limit?: LimitState | undefined;
  headers?: Record<string, string> | undefined;
  isProbe?: boolean | undefined;
}

/** The response to a request of that method, its length among its headers. */
export function finish(
  method: string,
  status: number,
  { headers, cookies }: Pick<HttpResponse, 'headers' | 'cookies'>,
  body?: string,
): HttpResponse {
  // RFC 9110 §8.6: HEAD is told the length that GET would have; a 204 has none.
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
  else if (status !== 204 && method !== 'HEAD') headers['content-length'] = '0';
  return { status, headers, cookies, body: method === 'HEAD' ? undefined : body };
}

/** The response to a handler that returned. */
export function success(
  services: Services,
  context: RequestContext,
  route: Route,
  reply: Result,
): HttpResponse {
  return finish(
    context.request.method,
    reply.status ?? route.status ?? 200,
    headOf(services, context, reply),
    reply.text ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body)),
  );
}

/**
 * The response to anything thrown: the one place that turns errors into responses. Any error that is neither an
 * HttpError nor a database's that cannot be used is a defect: it is logged whole, and the client is told nothing of it.
 */
export function failure(
  services: Services,
  context: RequestContext,
  error: unknown,
  { onFailure, failurePage }: Pick<Route, 'onFailure' | 'failurePage'> = {},
): HttpResponse {
  const refusal = refusalOf(error);
  const [status, sentence] = services.errors[refusal.code] ?? httpErrors.INTERNAL;
  if (status >= 500) {
    services.log.error({ err: error, requestId: context.request.id }, 'request failed');
  }
  const { message = sentence, details, headers = {}, fields } = refusal.extra;
  const body = { error: message, code: refusal.code, details, ...onFailure, ...fields };
  const page = context.request.prefersHtml ? failurePage?.(services.config, message) : undefined;
  const ofPage = page === undefined ? {} : PAGE_HEADERS;
  const head = headOf(services, context, { headers: { ...headers, ...ofPage } }, refusal);
  return finish(context.request.method, status, head, page ?? JSON.stringify(body));
}

/** A page that loads nothing, runs nothing, is in no frame, and tells nobody its address. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** With every 503: what failed is tried again, or is another instance's by then. */
const RETRY_AFTER = { 'retry-after': '1' };

function refusalOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  return isDefect(error) ? refuse('INTERNAL') : refuse('UNAVAILABLE', { headers: RETRY_AFTER });
}

function isDefect(error: unknown): boolean {
  return !(error instanceof HttpError) && !isConflict(error) && !isUnavailable(error);
}

/**
 * While migrations are pending (MIGRATE_ON_START=off), a missing table is no defect but a matter of time:
 * 503, as `/readyz` says. Any other error is given back.
 */
export async function unlessMigrationsArePending(db: Services['db'], error: unknown) {
  if (!isDefect(error) || (await isMigrated(db).catch(() => true))) return error;
  return refuse('UNAVAILABLE', { message: 'Migrations are pending.', headers: RETRY_AFTER });
}

function headOf(
  { config, keys }: Services,
  context: RequestContext,
  { headers = {}, cookies = [] }: Result,
  refusal?: HttpError,
): Pick<HttpResponse, 'headers' | 'cookies'> {
  const { request, limit } = context;
  const head: HttpResponse['headers'] = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': request.id,
    // Responses hold tokens or personal data: no cache may keep any of them (RFC 6749 §5.1).
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  Object.assign(head, corsHeaders(config, request.origin), limitHeaders(limit), context.headers);
  for (const name in headers) head[name.toLowerCase()] = headers[name] ?? '';
  const all = [...cookies, ...csrfCookies(context, cookies, refusal)];
  return { headers: head, cookies: all.map((cookie) => serializeCookie(config, cookie)) };

  /** A reply that sets or clears the CSRF cookie itself has the last word: there is one for each response. */
  function csrfCookies({ caller, isProbe }: RequestContext, set: Cookie[], refused?: HttpError) {
    if (isProbe || set.some(({ name }) => name.endsWith('csrf-token'))) return [];
    const sessionId = refused?.extra.sessionId ?? caller?.sessionId;
    const wasRefused = refused?.code === 'CSRF_INVALID';
    return missingCsrfCookie({ config, keys }, request, sessionId, wasRefused);
  }
}
