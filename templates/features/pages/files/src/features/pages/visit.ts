import {
  type Cookie,
  isHostOnly,
  readSessionCookie,
  type SessionCookie,
} from '../../http/cookies.js';
import { HttpError } from '../../http/errors.js';
import type { ServiceRequest } from '../../http/request.js';
import { isReturnPath } from '../../http/return-path.js';
import type { Call, Result } from '../../http/route.js';
import type { Services } from '../../services.js';
import { authenticate, type Caller } from '../../session/authenticate.js';
import { carriedBy, carry, type Fields, subjectOf } from './carried.js';
import { createGuard, isGuarded } from './guard.js';
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
  /** A hidden field of each form. */
  guard: string;
  /** Another one: whose link or sign-in the page shows. Another tab may have opened that of somebody else since. */
  about: string;
  refusal: Refusal | undefined;
  /** The form that has just worked. An address with `?done=` alone does not say so: anybody can link to it. */
  done: string | undefined;
  /** The cookies that the response sets. */
  cookies: Cookie[];
}

export type SignedIn = Visit<Caller>;

/** The cookie that names the form that has just worked. */
export const DONE = 'done';

/**
 * Identifies the visitor by cookies alone. An expired access token is renewed on the way: the refresh token comes with
 * every request below AUTH_PREFIX, and two tabs that renew at once both succeed (REFRESH_REUSE_WINDOW).
 */
export async function openVisit({ services, request, params, query }: Call): Promise<Visit> {
  const language = languageOf(request);
  // A mail or a text that a form causes is in the language of the page.
  const asBrowser = { ...request, language, bearerToken: undefined, wantsBearer: false };
  const session = await sessionOf(services, asBrowser);
  const { guard, cookies } = createGuard(services, request, session.caller);
  const carried = carriedBy(services.config, request);
  // A sibling domain can plant the token of another account, but not with the guard of this browser.
  const isOurs = isGuarded(services, request, session.caller, carried?.guard ?? '');
  const isPlanted = session.caller && carried?.bearerToken && !isOurs;
  const kept = isPlanted ? undefined : carried;
  return {
    ...session,
    services,
    params,
    query,
    guard,
    language,
    carried: kept,
    about: subjectOf(kept),
    refusal: undefined,
    done: query.get('done') === request.cookies[DONE] ? request.cookies[DONE] : undefined,
    cookies: [...session.cookies, ...cookies],
  };
}

async function sessionOf(services: Services, request: ServiceRequest) {
  const identify = (sent: ServiceRequest) =>
    undefinedIfRefused(() => authenticate(services, sent, true));
  const { config } = services;
  const caller = await identify(request);
  const has = (kind: SessionCookie) => readSessionCookie(config, request, kind) !== undefined;
  // A browser has the CSRF cookie beside it, unless a sibling domain has planted the refresh cookie.
  const isPlanted = config.CSRF && isHostOnly(config, 'csrf-token') && !has('csrf-token');
  if (caller || !has('refreshToken') || isPlanted) return { request, caller, cookies: [] };
  const renewed = await undefinedIfRefused(() => runRoute(services, request, 'POST /refresh', {}));
  const cookies = renewed?.cookies ?? [];
  const fresh = Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
  const next = { ...request, cookies: { ...request.cookies, ...fresh } };
  return { request: next, caller: await identify(next), cookies };
}

const SESSION_REFUSALS = new Set<string>([
  'INVALID_TOKEN',
  'SESSION_REVOKED',
  'INVALID_REFRESH_TOKEN',
  'ACCOUNT_DISABLED',
]);

/** Undefined if the session is refused: the page decides what a visitor without one sees. */
async function undefinedIfRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpError && SESSION_REFUSALS.has(error.code)) return undefined;
    throw error;
  }
}

/** The path with these parameters in its query. */
export function pathWith(path: string, parameters: Fields): string {
  const [pathname = '', query] = path.split('?');
  const search = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) search.set(name, value);
  return search.size > 0 ? `${pathname}?${search}` : pathname;
}

/** The path of another page, such as `/ui/login`, that keeps where to go afterwards. */
export function pathTo({ services, query }: Visit, path: string, parameters: Fields = {}): string {
  const return_to = query.get('return_to');
  const kept = isReturnPath(return_to) && { return_to };
  return pathWith(services.config.AUTH_PREFIX + path, { ...parameters, ...kept });
}

/** The path of another page, for which these fields are left: see `carry`. */
export function carryTo(visit: Visit, path: string, fields?: Fields): string {
  const { config } = visit.services;
  visit.cookies.push(carry(config, config.AUTH_PREFIX + path, fields));
  return pathTo(visit, path);
}

/** Where a visitor goes after signing in: to where they came from, else to their account. */
export function destinationOf({ services, query }: Visit): string {
  const returnTo = query.get('return_to');
  return isReturnPath(returnTo) ? returnTo : `${services.config.AUTH_PREFIX}/ui/account`;
}

/** The path to the sign-in and back. Outside AUTH_PREFIX, which gets no refresh token, it first renews the session. */
export function loginPath(visit: Visit, parameters: Fields = {}): string {
  const { services, request, query } = visit;
  const { AUTH_PREFIX } = services.config;
  const return_to = query.size > 0 ? `${request.path}?${query}` : request.path;
  const page = isBelowPrefix(visit) || 'again' in parameters ? 'login' : '';
  return pathWith(`${AUTH_PREFIX}/ui/${page}`, { return_to, ...parameters });
}

/** False where the browser sends no refresh token. */
export function isBelowPrefix({ services, request }: Visit): boolean {
  return request.path.startsWith(`${services.config.AUTH_PREFIX}/`);
}

/**
 * 303: the browser continues with GET, so that a reload does not submit the form again (RFC 9110 §15.4.4). 307: it sends
 * the form there, whatever its length. With `no-referrer`, the policy of other responses, the Origin sent would be `null`
 * (Fetch standard, appending a request's Origin header).
 */
export function seeOther({ cookies }: Visit, location: string, status: 303 | 307 = 303): Result {
  // A header holds nothing else, and the visitor may have chosen the path.
  const ascii = location.replace(/\P{ASCII}/gu, encodeURIComponent);
  return { status, headers: { location: ascii, 'referrer-policy': 'same-origin' }, cookies };
}
