import type { Cookie } from '../../http/cookies.js';
import { readSessionCookie } from '../../http/cookies.js';
import { HttpError } from '../../http/errors.js';
import type { ServiceRequest } from '../../http/request.js';
import type { Services } from '../../services.js';
import { authenticate, type Caller } from '../../session/authenticate.js';
import { type Carried, carriedBy } from './carried.js';
import { createGuard } from './guard.js';
import { type Language, languageOf } from './language.js';
import type { Refusal } from './refusal.js';
import { runRoute } from './run-route.js';

/** One request for a page, as its content sees it. */
export interface Visit<Who = Caller | undefined> {
  services: Services;
  /** With the tokens that its session has by now. */
  request: ServiceRequest;
  params: Record<string, string>;
  query: URLSearchParams;
  caller: Who;
  language: Language;
  /** What an earlier page, or a mailed link, left for this one: see `carry`. */
  carried: Carried | undefined;
  /** The hidden field of each form. */
  guard: string;
  refusal: Refusal | undefined;
  /** Set by the answer. */
  cookies: Cookie[];
}

export type SignedIn = Visit<Caller>;

/**
 * Who visits, by the cookies alone. An access token that has expired is renewed on the way: the refresh token comes with
 * every request below AUTH_PREFIX, and two tabs that renew at once both go on (REFRESH_REUSE_WINDOW).
 */
export async function openVisit(
  services: Services,
  { request, params, query }: Pick<Visit, 'request' | 'params' | 'query'>,
): Promise<Visit> {
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
  const caller = await unlessRefused(() => authenticate(services, request, true));
  if (caller || !readSessionCookie(services.config, request, 'refreshToken')) {
    return { request, caller, cookies: [] };
  }
  const renewed = await unlessRefused(() => runRoute(services, request, 'POST /refresh', {}));
  const cookies = renewed?.cookies ?? [];
  if (cookies.length === 0) return { request, caller: undefined, cookies };
  const fresh = Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
  const next = { ...request, cookies: { ...request.cookies, ...fresh } };
  const again = await unlessRefused(() => authenticate(services, next, true));
  return { request: next, caller: again, cookies };
}

const SESSION_REFUSALS = new Set<string>([
  'INVALID_TOKEN',
  'SESSION_REVOKED',
  'INVALID_REFRESH_TOKEN',
  'ACCOUNT_DISABLED',
]);

/** Undefined where a session is refused: the page decides what a visitor without one sees. */
export async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpError && SESSION_REFUSALS.has(error.code)) return undefined;
    throw error;
  }
}
