import { isMissingReference } from '../db/errors.js';
import type { Services } from '../services.js';
import { authenticate } from '../session/authenticate.js';
import type { Caller } from '../session/caller.js';
import { requireFreshSignIn } from '../session/freshness.js';
import { requirePermission } from '../users/permissions.js';
import { requireCsrfToken } from './csrf.js';
import type { LimitState } from './limiter.js';
import { requireAllowedOrigin } from './origin.js';
import { readJson, validate, validateQuery } from './parse-body.js';
import { unlessMigrationsArePending } from './pending-migrations.js';
import { type RawRequest, type RequestFacts, requestFacts } from './request.js';
import { type Answer, answerFailure, answerReply } from './respond.js';
import type { AnyCall, Reply, Route } from './route.js';

/** What is known of a request so far; a failure at any step is answered with it. */
export interface Progress {
  request: RequestFacts;
  caller: Caller | undefined;
  limit: LimitState | undefined;
  headers?: Record<string, string> | undefined;
  isProbe?: boolean | undefined;
}

/**
 * Runs one route for one request. The order of the checks is the contract's: body, Origin,
 * authentication, CSRF, permission, freshness, validation; then limits, then the handler.
 */
export async function answer(route: Route, raw: RawRequest, services: Services): Promise<Answer> {
  const progress: Progress = {
    request: requestFacts(raw),
    caller: undefined,
    limit: undefined,
    isProbe: route.isProbe,
  };
  try {
    const call = await admit(route, raw, services, progress);
    return answerReply(services, progress, route, await runForCaller(route, call, progress));
  } catch (error) {
    const failure = await unlessMigrationsArePending(services, error);
    return answerFailure(services, progress, failure, route.onFailure);
  }
}

/**
 * Runs the handler. If its caller was deleted meanwhile, nothing can be stored of theirs any more: they
 * are answered as at their next request.
 */
async function runForCaller(route: Route, call: AnyCall, progress: Progress): Promise<Reply> {
  try {
    return await run(route, call);
  } catch (error) {
    if (!progress.caller || !isMissingReference(error)) throw error;
    await authenticate(call.services, call.request, true, route.acceptsToken);
    throw error;
  }
}

/** HEAD consumes nothing: mail scanners and link previews send it. */
async function run(route: Route, call: AnyCall): Promise<Reply> {
  if (route.consumes && call.request.method === 'HEAD') return {};
  return route.handle(call);
}

async function admit(
  route: Route,
  raw: RawRequest,
  services: Services,
  progress: Progress,
): Promise<AnyCall> {
  const { config, limiter } = services;
  const { request } = progress;
  if (!route.neverRefuses) progress.limit = await limiter.consume([['address', request.ip]]);
  const { bytes, json, headers } = await readJson(route, raw, config.BODY_LIMIT);
  progress.headers = headers;
  requireAllowedOrigin(config, request);
  if (route.access !== 'public') {
    const checksSession = config.SESSION_CHECK === 'all' || route.access === 'fresh';
    progress.caller = await authenticate(services, request, checksSession, route.acceptsToken);
    requireCsrfToken(services, request, progress.caller);
    if (route.permission) requirePermission(progress.caller, route.permission);
    if (route.access === 'fresh') {
      await requireFreshSignIn(services, progress.caller, json, route.staleCode);
    }
  }
  const call: AnyCall = {
    body: validate(route, json),
    rawBody: bytes,
    params: withoutNul(raw.params),
    query: validateQuery(route, new URLSearchParams(raw.search)),
    caller: progress.caller,
    request,
    services,
  };
  if (route.limits && !route.neverRefuses) {
    progress.limit = (await limiter.consume(route.limits(call))) ?? progress.limit;
  }
  return call;
}

/** Databases cannot store a NUL, so that to ask for one is an error there. No id has one: it is unknown. */
function withoutNul(params: Record<string, string>): Record<string, string> {
  if (!Object.values(params).some((value) => value.includes('\0'))) return params;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value.replaceAll('\0', '\ufffd')]),
  );
}
