import type { IncomingMessage } from 'node:http';
import { isUnavailable } from '../db/errors.js';
import type { Services } from '../services.js';
import type { Caller } from '../session/authenticate.js';
import { readJson, readQuery, validate } from './body.js';
import { corsHeaders, requireAllowedOrigin, requireCsrfToken } from './cross-site.js';
import { refuse } from './errors.js';
import { LANGUAGE, type ServiceRequest } from './request.js';
import { failure, type HttpResponse, type RequestContext, respond } from './response.js';
import {
  type AnyCall,
  allowedMethods,
  type Limit,
  type Resource,
  type Result,
  type Route,
  reauthenticationsOf,
  requiresReauthentication,
} from './route.js';

/**
 * Runs one route for one request. The checks run in this order: limit per IP, body, Origin, authentication,
 * CSRF, permission, freshness, checks on the caller, validation, limits of the route; then the handler.
 */
export async function answer(
  route: Route,
  request: ServiceRequest,
  services: Services,
): Promise<HttpResponse> {
  const { config, guards, limiter } = services;
  const context: RequestContext = { request, route };
  try {
    if (!route.neverRefuses) context.limit = await limiter.consume([['perIp', request.ip]]);
    const { bytes, json } = await readJson(route, request, config.BODY_LIMIT);
    if (!route.anyOrigin) requireAllowedOrigin(config, request);
    if (route.access !== 'public') await admit(route, services, context, json);
    const result = await run(services, route, context, json, bytes);
    return respond(services, context, { status: route.status, ...result });
  } catch (error) {
    guards.noteRefusedSignIn(services, request, route, error);
    return failure(services, context, error);
  }
}

/** Answers a method that the path has no route for: OPTIONS as a preflight, any other with 405 (RFC 9110 §15.5.6). */
export function answerOtherMethod(
  services: Services,
  incoming: IncomingMessage,
  resource: Resource,
): HttpResponse {
  const request = services.readRequest(incoming);
  const context = { request, route: resource.routes[0] };
  const allow = allowedMethods(resource).join(', ');
  if (request.method !== 'OPTIONS') {
    return failure(services, context, refuse('METHOD_NOT_ALLOWED', { headers: { allow } }));
  }
  const headers = { allow, ...corsHeaders(services.config, request.origin, allow) };
  return respond(services, context, { status: 204, headers });
}

/** The response to a request that no route matches, or to an error thrown by the framework or a route of yours. */
export function answerError(
  services: Services,
  incoming: IncomingMessage,
  error: unknown,
): HttpResponse {
  return failure(services, { request: services.readRequest(incoming) }, error);
}

/**
 * The caller of a request to one of your own routes, after the same checks as the service's.
 * Throws INVALID_TOKEN, SESSION_REVOKED, ORIGIN_NOT_ALLOWED, CSRF_INVALID, FORBIDDEN.
 */
export function admitCaller(
  services: Services,
  incoming: IncomingMessage,
  permission: string | undefined,
): Promise<Caller> {
  const request = services.readRequest(incoming);
  requireAllowedOrigin(services.config, request);
  return admit({ access: 'signed-in', permission }, services, { request }, {});
}

/** The checks before validation. `json` may hold a reauthentication proof. Throws to refuse. */
export async function admit(
  route: Pick<Route, 'access'> & Partial<Route>,
  services: Services,
  context: RequestContext,
  json: unknown,
): Promise<Caller> {
  const { config, features, guards } = services;
  const { request } = context;
  const { access, permission, checksSession = false } = route;
  const looksUp =
    config.SESSION_CHECK === 'all' || requiresReauthentication(access) || checksSession;
  const found = route.acceptsToken
    ? await Promise.all(features.map((each) => each.callerOfToken?.(services, request.bearerToken)))
    : [];
  const caller = found.find(Boolean) ?? (await guards.authenticate(services, request, looksUp));
  context.caller = caller;
  requireCsrfToken(services, request, caller);
  if (permission) guards.requirePermission(caller, permission);
  if (requiresReauthentication(access))
    await guards.requireReauthentication(services, caller, access, json);
  await route.callerCheck?.check(services, caller);
  return caller;
}

/** The steps after access control: validation, limits, handler. */
export async function run(
  services: Services,
  route: Route,
  context: RequestContext,
  json: unknown,
  rawBody: Buffer = Buffer.alloc(0),
): Promise<Result> {
  const { request, caller } = context;
  const { emailLang }: { emailLang?: unknown } = Object(json);
  if (typeof emailLang === 'string' && LANGUAGE.test(emailLang)) request.language ??= emailLang;
  // Databases refuse a NUL even in a query. No id contains one, so such an id is simply unknown.
  const params = Object.entries(request.params).map(([name, value]) => {
    return [name, value.replaceAll('\0', '\ufffd')];
  });
  const call: AnyCall = {
    body: validate(route, fieldsOf(services, route, json)),
    rawBody,
    params: Object.fromEntries(params),
    query: readQuery(route, request.search),
    caller,
    request,
    services,
  };
  let limits: Limit[] = [];
  if (route.limits && !route.neverRefuses) {
    limits = await route.limits(call);
    context.limit = (await services.limiter.consume(limits)) ?? context.limit;
  }
  // HEAD consumes nothing: mail scanners and link previews send it.
  if (route.consumes && request.method === 'HEAD') return {};
  const handled = await route.handle(call).catch(async (error) => {
    // An outage of the database must not lock anybody out afterwards.
    if (isUnavailable(error)) for (const each of limits) await services.limiter.giveBack(...each);
    throw error;
  });
  const result = handled ?? { body: { success: true } };
  if (result.opensSession && !route.signsIn) throw new Error(`${route.path} lacks \`signsIn\`.`);
  return result;
}

/** The fields of the route itself. Handlers may store or log them, so they must not include secrets such as proofs. */
function fieldsOf(services: Services, { access, anyJson }: Route, json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const proofs = requiresReauthentication(access) ? reauthenticationsOf(services) : [];
  const others = [...proofs.map(({ field }) => field), ...(anyJson ? [] : ['emailLang'])];
  return Object.fromEntries(Object.entries(json).filter(([name]) => !others.includes(name)));
}
