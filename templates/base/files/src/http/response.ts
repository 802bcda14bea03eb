import { Readable } from 'node:stream';
import { isConflict, isMissingReference, isUnavailable } from '../db/errors.js';
import { monotonicTime } from '../process/clock.js';
import { reasonOf } from '../process/log.js';
import type { Services } from '../services.js';
import type { Caller } from '../session/authenticate.js';
import { serializeCookie } from './cookies.js';
import { corsHeaders, missingCsrfCookie } from './cross-site.js';
import { HttpError, httpErrors, refuse } from './errors.js';
import { type LimitState, limitHeaders } from './limits.js';
import type { ServiceRequest } from './request.js';
import type { Result, Route } from './route.js';

/** A finished response; a framework only writes it, so all frameworks answer alike. */
export interface HttpResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The values of Set-Cookie, a header for each. */
  cookies: string[];
  body: string | Buffer | Readable | undefined;
}

/** What is known about a request so far; a failure at any step is answered from it. */
export interface RequestContext {
  request: ServiceRequest;
  /** The log names its path: the request's own path and query may contain tokens. */
  route?: Route | undefined;
  caller?: Caller;
  limit?: LimitState | undefined;
}

/**
 * The one place that turns errors into responses. An error that is neither an HttpError nor an unavailable
 * database is a bug: it is logged in full, and the client learns nothing about it.
 */
export function failure(services: Services, context: RequestContext, error: unknown): HttpResponse {
  const { request, route } = context;
  const refusal = refusalOf(error);
  const { code } = refusal;
  const [status, sentence] = services.errors[code] ?? httpErrors.INTERNAL;
  const about = { requestId: request.id, method: request.method, path: route?.path };
  if (code === 'UNAVAILABLE' || status === 502) {
    services.log.warn({ reason: reasonOf(error), ...about }, 'request failed');
  } else if (status >= 500 || isMissingReference(error)) {
    services.log.error({ err: error, ...about }, 'request failed');
  }
  const { message = sentence, details, headers = {}, cookies, fields } = refusal.extra;
  const page = pageOf(services, context, refusal, message);
  const result: Result = {
    status,
    ...(page ?? { body: { error: message, code, details, ...route?.onFailure, ...fields } }),
    headers: { ...headers, ...page?.headers },
    cookies,
  };
  return respond(services, context, result, refusal);
}

/** The page that shows a refusal to people, of a feature or else of the route. */
function pageOf(
  services: Services,
  { request, route }: RequestContext,
  refusal: HttpError,
  message: string,
): Result | undefined {
  for (const { failurePage } of services.features) {
    const page = failurePage?.(services, request, refusal, route);
    if (page) return page;
  }
  if (!request.prefersHtml) return undefined;
  return route?.failurePage?.(services.config, refusal.code, message);
}

export function refusalOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  // The account was deleted meanwhile, so nothing can be stored for it: answer as the next request will be answered.
  if (isMissingReference(error)) return refuse('INVALID_TOKEN');
  if (!isConflict(error) && !isUnavailable(error)) return refuse('INTERNAL');
  // A retry may succeed, or reach another instance.
  return refuse('UNAVAILABLE', { headers: { 'retry-after': '1' } });
}

/**
 * The response for a result: with the headers of every response and its length. Logs it at LOG_LEVEL=debug.
 * `refusal` is the reason of a failure.
 */
export function respond(
  services: Services,
  { request, route, caller, limit }: RequestContext,
  { status = 200, body: value, text, stream, headers: own = {}, cookies: set = [] }: Result,
  refusal?: HttpError,
): HttpResponse {
  const { config, log } = services;
  const { id: requestId, method, origin, startedAt } = request;
  const ms = Math.round(monotonicTime() - startedAt);
  log.debug({ requestId, method, path: route?.path, status, ms }, 'request');
  const headers: HttpResponse['headers'] = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    // Responses hold tokens or personal data: no cache may keep any of them (RFC 6749 §5.1).
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // URLs of this service may contain one-time tokens.
    'referrer-policy': 'no-referrer',
    ...corsHeaders(config, origin),
    ...limitHeaders(limit),
  };
  // RFC 6797: for a year, only https. Not for subdomains, which may belong to other services.
  if (config.isProduction && config.BASE_URL.startsWith('https:')) {
    headers['strict-transport-security'] = 'max-age=31536000';
  }
  for (const name in own) headers[name.toLowerCase()] = own[name] ?? '';
  const json = value === undefined ? undefined : JSON.stringify(value);
  const body = stream ? Readable.from(stream) : (text ?? json);
  // RFC 9110 §8.6: HEAD gets the length that GET would have; a 204 has none.
  const hasLength = body === undefined ? status !== 204 && method !== 'HEAD' : !stream;
  if (hasLength) headers['content-length'] = String(Buffer.byteLength(text ?? json ?? ''));
  const cookies = [...set];
  // A response sets the CSRF cookie once: a reply that sets or clears it itself takes precedence.
  if (
    !route?.isPage &&
    !route?.anyOrigin &&
    !cookies.some(({ name }) => name.endsWith('csrf-token'))
  ) {
    const sessionId = refusal?.extra.sessionId ?? caller?.sessionId;
    const wasRefused = refusal?.code === 'CSRF_INVALID';
    cookies.push(...missingCsrfCookie(services, request, sessionId, wasRefused));
  }
  return {
    status,
    headers,
    cookies: cookies.map((cookie) => serializeCookie(config, cookie)),
    body: method === 'HEAD' ? undefined : body,
  };
}
