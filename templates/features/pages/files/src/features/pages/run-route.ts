import { admit, run } from '../../http/answer.js';
import type { ServiceRequest } from '../../http/request.js';
import type { Result, Route } from '../../http/route.js';
import type { Services } from '../../services.js';

/** `PATCH /profile`: a route of the API, by its method and its path below the prefix. */
export type RouteName = `${Route['method']} /${string}`;

/**
 * Runs a route of the API with the fields of a form, in this process: the route's schema, limits, access and handler
 * apply to pages too. Its path parameters come from the page's path, else from the fields of those names; a GET gets
 * the other fields as its query. Its body is `body`; `fields` may hold a reauthentication. The page has checked the
 * Origin; the request carries the CSRF token of its session. Throws what the route throws.
 */
export async function runRoute(
  services: Services,
  request: ServiceRequest,
  name: RouteName,
  fields: Record<string, unknown>,
  prefix?: string,
  body: unknown = fields,
): Promise<Result> {
  const route = findRoute(services, name, prefix);
  const { method } = route;
  const texts = Object.entries(fields).map(([field, value]) => [field, String(value)]);
  const values = { ...Object.fromEntries(texts), ...request.params };
  const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field);
  const params = Object.fromEntries(inPath.map((field) => [field, values[field] ?? '']));
  const query = method === 'GET' ? texts.filter(([field = '']) => !inPath.includes(field)) : [];
  const search = new URLSearchParams(Object.fromEntries(query)).toString();
  const internal = { ...request, method, params, search };
  const context = { request: internal, route };
  try {
    if (route.access !== 'public') await admit(route, services, context, fields);
    return await run(services, route, context, method === 'GET' ? {} : body);
  } catch (error) {
    services.guards.noteRefusedSignIn(services, internal, route, error);
    throw error;
  }
}

/** The route of that name; below AUTH_PREFIX, if no prefix is given. */
export function findRoute(
  services: Services,
  name: RouteName,
  prefix = services.config.AUTH_PREFIX,
): Route {
  const [method, below = ''] = name.split(' ');
  const path = prefix + below.replaceAll(/\{(\w+)\}/g, ':$1');
  const resource = services.resources.find((each) => each.path === path);
  const route = resource?.routes.find((each) => each.method === method);
  if (!route) throw new Error(`A page needs the route ${name}, which does not exist.`);
  return route;
}
