import { isMissingReference } from '../db/errors.js';
import type { Services } from '../services.js';
import type { Caller } from '../session/authenticate.js';
import { readJson, readQuery, validate } from './body.js';
import { corsHeaders, requireAllowedOrigin, requireCsrfToken } from './cross-site.js';
import { refuse } from './errors.js';
import type { RequestInfo, ServiceRequest } from './request.js';
import {
  contextOf,
  failure,
  finish,
  type HttpResponse,
  type RequestContext,
  success,
  unlessMigrationsArePending,
} from './response.js';
import { type AnyCall, allowedMethods, type Resource, type Route } from './route.js';

/** What a request needs from the layers above; `services.ts` hands it in. */
export interface Guards {
  /** The caller by Bearer token or cookie. Throws INVALID_TOKEN, SESSION_REVOKED. */
  authenticate(
    services: Services,
    request: RequestInfo,
    checksSession: boolean,
    acceptsToken?: string,
  ): Promise<Caller>;
  /** Throws FORBIDDEN. */
  requirePermission(caller: Caller, permission: string): void;
  /** Throws REAUTHENTICATION_REQUIRED, or the code of a wrong proof in the body. */
  requireFreshSignIn(services: Services, caller: Caller, body: unknown): Promise<void>;
  /** Told what a route that signs in threw. */
  noteRefusedSignIn(services: Services, request: RequestInfo, route: Route, error: unknown): void;
}

/**
 * Runs one route for one request. The order of the checks is the contract's: body, Origin,
 * authentication, CSRF, permission, freshness, validation; then limits, then the handler.
 */
export async function answer(
  route: Route,
  request: ServiceRequest,
  services: Services,
): Promise<HttpResponse> {
  const context = contextOf(request, route.path, route);
  try {
    const call = await admitCall(route, services, context);
    return success(services, context, await run(route, call, context));
  } catch (error) {
    const reason = await unlessMigrationsArePending(services.db, error);
    services.guards.noteRefusedSignIn(services, request, route, reason);
    return failure(services, context, reason);
  }
}

/** The response to a method that a path has no route for: OPTIONS with a preflight, or 405 (RFC 9110 §15.5.6). */
export function answerOtherMethod(
  resource: Resource,
  request: ServiceRequest,
  services: Services,
): HttpResponse {
  const context = contextOf(request, resource.path);
  const allow = allowedMethods(resource).join(', ');
  if (request.method !== 'OPTIONS') {
    return failure(services, context, refuse('METHOD_NOT_ALLOWED', { headers: { allow } }));
  }
  const { id, origin } = request;
  const headers = { allow, 'x-request-id': id, ...corsHeaders(services.config, origin, allow) };
  return finish(services, context, 204, { headers, cookies: [] });
}

/** The response to a request without a route, or to what the framework or a route of yours threw. */
export function answerError(
  error: unknown,
  request: ServiceRequest,
  services: Services,
): HttpResponse {
  return failure(services, contextOf(request), error);
}

/** Who may pass: the same checks for the service's routes and for yours. */
type Rules = Pick<Route, 'access' | 'permission' | 'acceptsToken'>;

/**
 * The caller of a request to one of your own routes, after the same checks as the service's.
 * Throws INVALID_TOKEN, SESSION_REVOKED, ORIGIN_NOT_ALLOWED, CSRF_INVALID, FORBIDDEN.
 */
export function admitCaller(
  services: Services,
  request: ServiceRequest,
  permission: string | undefined,
): Promise<Caller> {
  requireAllowedOrigin(services.config, request);
  return admit({ access: 'signed-in', permission }, services, contextOf(request), {});
}

async function admit(
  { access, permission, acceptsToken }: Rules,
  services: Services,
  context: RequestContext,
  json: unknown,
): Promise<Caller> {
  const { config, guards } = services;
  const { request } = context;
  const checksSession = config.SESSION_CHECK === 'all' || access === 'fresh';
  const caller = await guards.authenticate(services, request, checksSession, acceptsToken);
  context.caller = caller;
  requireCsrfToken(services, request, caller);
  if (permission) guards.requirePermission(caller, permission);
  if (access === 'fresh') await guards.requireFreshSignIn(services, caller, json);
  return caller;
}

const NO_QUERY = new URLSearchParams();

async function admitCall(
  route: Route,
  services: Services,
  context: RequestContext,
): Promise<AnyCall> {
  const { config, limiter } = services;
  const { request } = context;
  if (!route.neverRefuses) context.limit = await limiter.consume([['perIp', request.ip]]);
  const { bytes, json, headers } = await readJson(route, request, config.BODY_LIMIT);
  context.headers = headers;
  if (!route.anyOrigin) requireAllowedOrigin(config, request);
  if (route.access !== 'public') await admit(route, services, context, json);
  const call: AnyCall = {
    body: validate(route, json),
    rawBody: bytes,
    params: withoutNul(request.params),
    query: route.query || request.search !== '' ? readQuery(route, request.search) : NO_QUERY,
    caller: context.caller,
    request,
    services,
  };
  if (route.limits && !route.neverRefuses) {
    context.limit = (await limiter.consume(route.limits(call))) ?? context.limit;
  }
  return call;
}

/** Databases refuse a NUL even in a question. No id has one: it is unknown. */
function withoutNul(params: Record<string, string>): Record<string, string> {
  if (!Object.values(params).some((value) => value.includes('\0'))) return params;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value.replaceAll('\0', '\ufffd')]),
  );
}

/** HEAD consumes nothing: mail scanners and link previews send it. */
async function run(route: Route, call: AnyCall, { caller }: RequestContext) {
  if (route.consumes && call.request.method === 'HEAD') return {};
  try {
    return await route.handle(call);
  } catch (error) {
    // If the caller was deleted meanwhile, nothing of theirs can be stored: they are answered as at their next request.
    if (caller && isMissingReference(error)) {
      await call.services.guards.authenticate(
        call.services,
        call.request,
        true,
        route.acceptsToken,
      );
    }
    throw error;
  }
}
