import { type Cookie, readSessionCookie } from '../../http/cookies.js';
import { HttpError } from '../../http/errors.js';
import type { ServiceRequest } from '../../http/request.js';
import { isReturnPath } from '../../http/return-path.js';
import type { Call } from '../../http/route.js';
import type { Services } from '../../services.js';
import { authenticate, type Caller } from '../../session/authenticate.js';
import { carriedBy, type Fields } from './carried.js';
import { createGuard } from './guard.js';
import { type Language, languageOf } from './language.js';
import type { Refusal } from './refusal.js';
import { runRoute } from './run-route.js';

/** One request for a page, as the page's functions get it. */
export interface Visit<Who = Caller | undefined> {
  services: Services;
  /** With the current tokens of its session, renewed or not. */
  request: ServiceRequest;
  params: Record<string, string>;
  query: URLSearchParams;
  caller: Who;
  language: Language;
  /** The fields that an earlier page, or a mailed link, left for this one: see `carry`. */
  carried: Fields | undefined;
  /** The hidden field of each form. */
  guard: string;
  refusal: Refusal | undefined;
  /** The cookies that the response sets. */
  cookies: Cookie[];
}

export type SignedIn = Visit<Caller>;

/**
 * Identifies the visitor by cookies alone. An expired access token is renewed on the way: the refresh token comes with
 * every request below AUTH_PREFIX, and two tabs that renew at once both succeed (REFRESH_REUSE_WINDOW).
 */
export async function openVisit(call: Call<unknown>): Promise<Visit> {
  const { services, request, params, query } = call;
  const asBrowser = { ...request, bearerToken: undefined, wantsBearer: false };
  const session = await sessionOf(services, asBrowser);
  const { caller } = session;
  const { guard, cookies } = createGuard(services, request, caller);
  return {
    services,
    request: session.request,
    params,
    query,
    caller,
    language: languageOf(request),
    carried: carriedBy(request),
    guard,
    refusal: undefined,
    cookies: [...session.cookies, ...cookies],
  };
}

type Session = Pick<Visit, 'request' | 'caller' | 'cookies'>;

async function sessionOf(services: Services, request: ServiceRequest): Promise<Session> {
  const caller = await undefinedIfRefused(() => authenticate(services, request, true));
  if (caller || !readSessionCookie(services.config, request, 'refreshToken')) {
    return { request, caller, cookies: [] };
  }
  const renewed = await undefinedIfRefused(() => runRoute(services, request, 'POST /refresh', {}));
  const cookies = renewed?.cookies ?? [];
  if (cookies.length === 0) return { request, caller: undefined, cookies };
  const fresh = Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
  const next = { ...request, cookies: { ...request.cookies, ...fresh } };
  const renewedCaller = await undefinedIfRefused(() => authenticate(services, next, true));
  return { request: next, caller: renewedCaller, cookies };
}

const SESSION_REFUSALS = new Set<string>([
  'INVALID_TOKEN',
  'SESSION_REVOKED',
  'INVALID_REFRESH_TOKEN',
  'ACCOUNT_DISABLED',
]);

/** Undefined if the session is refused: the page decides what a visitor without one sees. */
export async function undefinedIfRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpError && SESSION_REFUSALS.has(error.code)) return undefined;
    throw error;
  }
}

/** The path of another page, such as `/ui/login`, that keeps where to go afterwards. */
export function pathTo({ services, query }: Visit, path: string, more: Fields = {}): string {
  const returnTo = query.get('return_to');
  const search = new URLSearchParams(more);
  if (isReturnPath(returnTo)) search.set('return_to', returnTo);
  return services.config.AUTH_PREFIX + path + (search.size > 0 ? `?${search}` : '');
}

/** The path with this parameter in its query. */
export function pathWith(path: string, name: string, value: string): string {
  const [pathname = '', query] = path.split('?');
  const search = new URLSearchParams(query);
  search.set(name, value);
  return `${pathname}?${search}`;
}

/** Where a visitor goes after signing in: to where they came from, else to their account. */
export function destinationOf({ services, query }: Visit): string {
  const returnTo = query.get('return_to');
  return isReturnPath(returnTo) ? returnTo : `${services.config.AUTH_PREFIX}/ui/account`;
}

/** The path to the sign-in and back. Outside AUTH_PREFIX, which gets no refresh token, it first renews the session. */
export function loginPath({ services, request, query }: Visit, more: Fields = {}): string {
  const { AUTH_PREFIX } = services.config;
  const search = query.size > 0 ? `?${query}` : '';
  const isBelow = request.path.startsWith(`${AUTH_PREFIX}/`);
  const parameters = new URLSearchParams({ return_to: request.path + search, ...more });
  return `${AUTH_PREFIX}/ui/${isBelow || 'again' in more ? 'login' : ''}?${parameters}`;
}
