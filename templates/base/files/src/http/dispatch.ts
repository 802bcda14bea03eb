import type { Services } from '../services.js';
import { answer } from './answer.js';
import { refuse } from './errors.js';
import { corsHeaders, preflightHeaders } from './origin.js';
import { type RawRequest, requestFacts } from './request.js';
import { type Answer, answerFailure, finishAnswer } from './respond.js';
import type { Route } from './route.js';

/** The routes of one path, by method. */
export type Resource = ReadonlyMap<string, Route>;

/**
 * Groups a route table by path; a route that the configuration unmounts is left out. Literal paths
 * come before those with a parameter, so that `/sessions/cleanup` is never taken for a handle.
 */
export function resourcesOf(routes: Route[], services: Services): Map<string, Resource> {
  const resources = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    if (route.isMounted && !route.isMounted(services.config)) continue;
    const resource = resources.get(route.path) ?? new Map<string, Route>();
    if (resource.has(route.method)) throw new Error(`Two routes: ${route.method} ${route.path}`);
    resources.set(route.path, resource.set(route.method, route));
  }
  return new Map(
    [...resources].sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{'))),
  );
}

/** Answers a request to a path that exists: by its route, a preflight, or 405 with Allow (RFC 9110 §15.5.6). */
export async function dispatch(
  resource: Resource,
  raw: RawRequest,
  services: Services,
): Promise<Answer> {
  const route = resource.get(raw.method === 'HEAD' ? 'GET' : raw.method);
  if (route) return answer(route, raw, services);
  const allow = allowOf(resource);
  if (raw.method === 'OPTIONS') return answerOptions(allow, raw, services);
  return answerRefusal(refuse('METHOD_NOT_ALLOWED', { headers: { allow } }), raw, services);
}

/** Answers a request that has no route, or that the framework itself could not read. */
export function answerRefusal(error: unknown, raw: RawRequest, services: Services): Answer {
  const progress = { request: requestFacts(raw), caller: undefined, limit: undefined };
  return answerFailure(services, progress, error);
}

function answerOptions(allow: string, raw: RawRequest, services: Services): Answer {
  const cors = corsHeaders(services.config, raw.header('origin'));
  const isAllowed = 'access-control-allow-origin' in cors;
  const headers = {
    allow,
    'x-request-id': requestFacts(raw).id,
    ...cors,
    ...(isAllowed ? preflightHeaders(allow) : {}),
  };
  return finishAnswer(raw.method, 204, { headers, cookies: [] }, undefined);
}

function allowOf(resource: Resource): string {
  const methods = [...resource.keys()];
  return [...methods, ...(resource.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
