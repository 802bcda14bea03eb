import * as z from 'zod';
import type { Config } from '../config.js';
import type { ErrorCode, LimitName } from '../feature.js';
import type { Services } from '../services.js';
import type { Caller } from '../session/authenticate.js';
import type { Cookie } from './cookies.js';
import { originForm, type ServiceRequest } from './request.js';

/**
 * Who may call: anyone; a signed-in user; `fresh`, one who proved who they are within
 * REAUTH_WINDOW; `strong`, one who did so with the strong factor of their account, if it has one.
 */
export type Access = 'public' | 'signed-in' | 'fresh' | 'strong';

/** One request as a handler sees it: parsed, authenticated, limited. */
export interface Call<Body = unknown, Who = unknown, Query = URLSearchParams> {
  body: Body;
  /** The bytes of the body, as they were signed; empty unless the route takes `anyJson`. */
  rawBody: Buffer;
  params: Record<string, string>;
  query: Query;
  caller: Who;
  request: ServiceRequest;
  services: Services;
}

/** A call of any route. */
export type AnyCall = Call<unknown, unknown, unknown>;

/** What a handler returns: `body` as JSON with status 200, unless it says otherwise. */
export interface Result {
  status?: number;
  body?: unknown;
  /** Instead of `body`: a text, or bytes, of the type that `headers` name. */
  text?: string | Buffer;
  /** Instead of `body`: chunks of a text that is too long to hold in memory, written as they are read. */
  stream?: AsyncIterable<string>;
  headers?: Record<string, string>;
  cookies?: Cookie[];
  /** True for the tokens of `finishLogin`. Only a route with `signsIn`, which `npm run security` reads, may set it. */
  opensSession?: boolean | undefined;
}

/** The response of a route that returns no data. */
export const Success = z.object({ success: z.literal(true) });

/** Cookie mode: only `success`. Bearer mode: the tokens too. */
export const Issued = Success.extend({
  accessToken: z.string().optional(),
  refreshToken: z.string().optional(),
});

/** A time in ms, as responses show it: ISO 8601 in UTC. */
export const Time = z
  .number()
  .transform((ms) => new Date(ms).toISOString())
  .pipe(z.iso.datetime());

/** Redirects a browser, always to a URL that is built from the configuration. */
export function redirect(url: string): Result {
  return { status: 302, headers: { location: url } };
}

/** The name of a rate limit, and the key that is counted. */
export type Limit = [name: LimitName, key: string];

/** A condition on a route's caller, beside the permission and a recent sign-in. */
export interface CallerCheck {
  /** The codes that it may refuse with. */
  refuses: ErrorCode[];
  /** Throws to refuse. */
  check(services: Services, caller: Caller): Promise<void>;
}

/** Everything about a route but its method, path and access; `Asked` is the call that its handler gets. */
export interface RouteOptions<Body, Who, Query, Asked = Call<Body, Who, Query>> {
  /** One sentence for the OpenAPI document. */
  summary: string;
  /** Absent: the body may be any object, and is ignored. */
  body?: z.ZodType<Body>;
  /** The fields of the query string, each given once. Absent: the handler gets URLSearchParams. */
  query?: z.ZodType<Query>;
  /** True for a route without a session: requests from any origin are accepted, and no CSRF cookie is set. */
  anyOrigin?: boolean;
  /** True for a body of any shape, arrays and scalars included, which the handler gets as its bytes too. */
  anyJson?: boolean;
  /** What a handler without `query` reads from the query string, for the OpenAPI document. */
  queryFields?: string[];
  /** True if the body is an HTML form (application/x-www-form-urlencoded) instead of JSON. */
  form?: boolean;
  /** The body of a success, for the OpenAPI document. Absent: `success: true`, except for GET. */
  reply?: z.ZodType;
  status?: number;
  /** True for a route that redirects browsers with 302, where other clients get JSON. */
  redirects?: boolean;
  /** The sign-in method of a route that ends in `finishLogin`: it may refuse with all codes of `finishLogin`. */
  signsIn?: string;
  /** True for a route that also accepts a single-purpose token, as Bearer. */
  acceptsToken?: boolean;
  /** What a public route also reads, if it is sent: an access token (Bearer or cookie), or the cookie of a refresh token. */
  readsCredential?: 'accessToken' | 'refreshToken';
  /** The access that the handler itself requires in some cases, with the proofs in `body`. */
  mayRequire?: 'fresh';
  /** True for a GET that uses something up: HEAD, which scanners and previews send, does not run it. */
  consumes?: boolean;
  /** `<resource>:<action>` that the caller's roles must allow. */
  permission?: string;
  /** True for a route that looks the session up regardless of SESSION_CHECK. */
  checksSession?: boolean;
  /** A further condition on the caller. */
  callerCheck?: CallerCheck;
  errors?: ErrorCode[];
  limits?(call: Call<Body, Who, Query>): Limit[] | Promise<Limit[]>;
  /** Further fields of every failure of this route. */
  onFailure?: Record<string, unknown>;
  /** The page for a failure, in HTML, where a browser navigates to the route; others get JSON. */
  failurePage?(config: Config, code: ErrorCode, message: string): Result;
  /** True for a route that never refuses: a bad body counts as `{}`, no limit applies. */
  neverRefuses?: boolean;
  /** True for a page for people: no OpenAPI document lists it, and its forms need no CSRF cookie. */
  isPage?: boolean;
  /** False unmounts the route: its path is 404. */
  isMounted?(config: Config): boolean;
  /** Undefined: `success: true`. */
  handle(call: Asked): Promise<Result | undefined>;
}

export interface Route extends RouteOptions<unknown, unknown, unknown> {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below its mount point's prefix, parameters in braces: `/sessions/{handle}`. In a Resource: the whole path. */
  path: string;
  access: Access;
  /** Its tag in the OpenAPI document: the name of its feature, in words. */
  tag?: string;
}

/** True for a route that requires a recent sign-in, or a proof in its body. */
export function requiresReauthentication(access: Access): access is 'fresh' | 'strong' {
  return access === 'fresh' || access === 'strong';
}

/** Declares a route of one method. `body` and `query` of the call are typed by their schemas. */
export type Define = <Body = undefined, A extends Access = 'public', Query = URLSearchParams>(
  path: string,
  options: RouteOptions<Body, A extends 'public' ? undefined : Caller, Query> & { access?: A },
) => Route;

function define(method: Route['method']): Define {
  const reply = method === 'GET' ? undefined : Success;
  return (path, options) =>
    // Safe: `answer` parses body and query with these very schemas and authenticates by this very access.
    ({ access: 'public', reply, ...options, method, path }) as unknown as Route;
}

export const get = define('GET');
export const post = define('POST');
export const put = define('PUT');
export const patch = define('PATCH');
export const del = define('DELETE');

/** The proofs that a body may carry in place of a recent sign-in. */
export function reauthenticationsOf({ features }: Services) {
  return features.flatMap(({ reauthentication }) => reauthentication ?? []);
}

/** A route table and the prefix that it is mounted below; the empty prefix is the root. */
export interface Mount {
  prefix: string;
  routes: Route[];
}

/** Everything at one path. */
export interface Resource {
  /** The whole path as routers write it: `/auth/sessions/:handle`. */
  path: string;
  /** Matches the URLs that have this path. */
  pattern: RegExp;
  routes: Route[];
}

/** The mounted routes of all features, by prefix. */
export function mountsOf(services: Services): Mount[] {
  const { config, features } = services;
  const byPrefix = new Map<string, Route[]>();
  for (const { name, prefix, routes } of features) {
    const path = prefix?.(config) ?? config.AUTH_PREFIX;
    const tag = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const mounted = routes?.(services).filter(({ isMounted }) => isMounted?.(config) ?? true) ?? [];
    const tagged = mounted.map((route) => ({ ...route, tag }));
    byPrefix.set(path, [...(byPrefix.get(path) ?? []), ...tagged]);
  }
  return [...byPrefix].map(([prefix, routes]) => ({ prefix, routes }));
}

/**
 * The routes by path, for a framework's router to register in this order. Within a mount literal
 * paths come before those with a parameter, so that `/sessions/cleanup` is never taken for a
 * handle. Throws if two routes are the same: where prefixes overlap, one would hide the other.
 */
export function resourcesOf(mounts: Mount[]): Resource[] {
  const resources = mounts.flatMap(({ prefix, routes }) => {
    const paths = [...new Set(routes.map(({ path }) => path))];
    const literalFirst = paths.sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')));
    return literalFirst.map((below) => {
      const path = prefix + below.replaceAll(/\{(\w+)\}/g, ':$1');
      const here = routes.filter((route) => route.path === below);
      const literal = path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/?#]+');
      const pattern = new RegExp(`^${literal}(?:[?#]|$)`);
      return { path, pattern, routes: here.map((route) => ({ ...route, path })) };
    });
  });
  const names = resources.flatMap(({ routes }) =>
    routes.map(({ method, path }) => `${method} ${path}`),
  );
  const double = names.find((name, index) => names.indexOf(name) < index);
  if (double) throw new Error(`Two routes are ${double}: change the path or prefix of one.`);
  return resources;
}

/** The resource that a request's URL names, whatever its method. */
export function resourceAt(resources: Resource[], url?: string): Resource | undefined {
  const target = originForm(url);
  return resources.find(({ pattern }) => pattern.test(target));
}

/** The methods of a path, for the Allow header (RFC 9110 §10.2.1). */
export function allowedMethods({ routes }: Resource): string[] {
  const methods: string[] = routes.map(({ method }) => method);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}
