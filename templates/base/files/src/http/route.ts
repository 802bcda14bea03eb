import type { ZodType } from 'zod';
import type { Config } from '../config.js';
import type { ErrorCode } from '../error-codes.js';
import type { LimitName } from '../rate-limits.js';
import type { Services } from '../services.js';
import type { Caller } from '../session/caller.js';
import type { Cookie } from './cookies.js';
import type { RequestFacts } from './request.js';

/** Who may call: anyone, a signed-in user, or one who proved who they are within REAUTH_WINDOW. */
export type Access = 'public' | 'signed-in' | 'fresh';

/** One request as a handler sees it: parsed, authenticated, limited. */
export interface Call<Body = unknown, Who = unknown, Query = URLSearchParams> {
  body: Body;
  /** The bytes of the body, as they were signed; empty unless the route takes `anyJson`. */
  rawBody: Buffer;
  params: Record<string, string>;
  query: Query;
  caller: Who;
  request: RequestFacts;
  services: Services;
}

/** A call of whatever route. */
export type AnyCall = Call<unknown, unknown, unknown>;

/** What a handler answers: `body` as JSON with status 200, unless it says otherwise. */
export interface Reply {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  cookies?: Cookie[];
}

/** A row of the rate limit table and whom it counts. */
export type Limit = [name: LimitName, key: string];

export interface RouteOptions<Body, Who, Query> {
  /** One sentence for the README and the OpenAPI document. */
  summary: string;
  /** Absent: the body may be any object, and is not looked at. */
  body?: ZodType<Body>;
  /** The fields of the query string, each given once. Absent: the handler gets URLSearchParams. */
  query?: ZodType<Query>;
  /** True for a body of any shape, arrays and scalars included, which the handler gets as its bytes too. */
  anyJson?: boolean;
  /** The success answer, for the OpenAPI document. */
  reply?: ZodType;
  status?: number;
  /** True for a route that leads a browser elsewhere, with 302, where others get JSON. */
  redirects?: boolean;
  /** True for a route that ends in `finishLogin`: whatever that refuses with, it may answer. */
  signsIn?: boolean;
  /** A type of single-purpose token that opens this route too, as Bearer. */
  acceptsToken?: string;
  /** True for a GET that uses something up: HEAD, which scanners and previews send, does not run it. */
  consumes?: boolean;
  /** `<resource>:<action>` that the caller's roles must allow. */
  permission?: string;
  errors?: ErrorCode[];
  limits?(call: Call<Body, Who, Query>): Limit[];
  /** Fields which every failure of this route carries beside `error` and `code`. */
  onFailure?: Record<string, unknown>;
  /** What a caller without a recent sign-in is told by a `fresh` route, if not REAUTHENTICATION_REQUIRED. */
  staleCode?(services: Services, caller: Caller): Promise<ErrorCode>;
  /** True for a route that answers whatever it is sent: a bad body counts as `{}`, no limit applies. */
  neverRefuses?: boolean;
  /** True for what only machines ask: the answer brings no cookie. */
  isProbe?: boolean;
  /** False unmounts the route: it answers 404. */
  isMounted?(config: Config): boolean;
}

export interface Route extends RouteOptions<unknown, unknown, unknown> {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  access: Access;
  handle(call: AnyCall): Promise<Reply>;
}

type WhoOf<A> = A extends 'signed-in' | 'fresh' ? Caller : undefined;

/** Declares a route of one method. `body` and `query` of the call have the types of their schemas. */
export type Define = <Body = undefined, A extends Access = 'public', Query = URLSearchParams>(
  path: string,
  options: RouteOptions<Body, WhoOf<A>, Query> & { access?: A },
  handle: (call: Call<Body, WhoOf<A>, Query>) => Promise<Reply>,
) => Route;

function define(method: Route['method']): Define {
  return (path, options, handle) =>
    // Safe: `answer` parses body and query with these very schemas and authenticates by this very access.
    ({ access: 'public', ...options, method, path, handle }) as unknown as Route;
}

export const get = define('GET');
export const post = define('POST');
export const put = define('PUT');
export const patch = define('PATCH');
export const del = define('DELETE');
