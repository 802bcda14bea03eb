import type { Config } from '../../config.js';
import { type Cookie, sessionCookie } from '../../http/cookies.js';
import { createCsrfToken, isCsrfTokenOf } from '../../http/cross-site.js';
import type { RequestInfo, ServiceRequest } from '../../http/request.js';
import { randomToken } from '../../process/random.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/authenticate.js';
import type { Visit } from './visit.js';

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Creates a guard bound to the session, or to a cookie of this visit: another site can neither read nor forge one. Each
 * page has a different one, so that compressed responses do not leak it (BREACH). The part after the `~` still tells
 * whose form it was once the session has ended.
 * @returns the hidden field of each form and, for a browser that is not signed in, the cookie of its visit
 */
export function createGuard(
  { config, keys }: Services,
  request: RequestInfo,
  caller?: Caller,
): { guard: string; cookies: Cookie[] } {
  if (caller) {
    const ofSession = createCsrfToken(keys.csrf, `form of session ${caller.sessionId}`);
    const ofUser = createCsrfToken(keys.csrf, `form of user ${caller.user.id}`);
    return { guard: `${ofSession}~${ofUser}`, cookies: [] };
  }
  const visit = visitOf(config, request) ?? randomToken();
  const cookie = pageCookie(visitCookie(config), visit, DAY_SECONDS);
  return { guard: createCsrfToken(keys.csrf, `form of visit ${visit}`), cookies: [cookie] };
}

/** True if the form came from a page that was shown to this session or visit. */
export function isGuarded(
  { config, keys }: Services,
  request: RequestInfo,
  caller: Caller | undefined,
  guard: string,
): boolean {
  const [token = ''] = guard.split('~');
  const isOf = (owner: string) => isCsrfTokenOf(keys.csrf, token, owner);
  if (caller && isOf(`form of session ${caller.sessionId}`)) return true;
  const visit = visitOf(config, request);
  return visit !== undefined && isOf(`form of visit ${visit}`);
}

/** Adds the session's CSRF token, which the route requires, to a request whose guard was checked. */
export function withCsrfToken({ services, request, caller }: Visit): ServiceRequest {
  if (!caller) return request;
  const csrfToken = createCsrfToken(services.keys.csrf, caller.sessionId);
  const { name } = sessionCookie(services.config, 'csrf-token', csrfToken, 0);
  return { ...request, csrfToken, cookies: { ...request.cookies, [name]: csrfToken } };
}

/** True if the form was shown to this user, in any session. */
export function isFormOf({ keys }: Services, userId: string, guard: string): boolean {
  return isCsrfTokenOf(keys.csrf, guard.split('~')[1] ?? '', `form of user ${userId}`);
}

function visitOf(config: Config, { cookies }: RequestInfo): string | undefined {
  return cookies[visitCookie(config)] || undefined;
}

/** A sibling domain cannot set a `__Host-` cookie (RFC 6265bis §4.1.3), and so cannot plant its own visit. */
const visitCookie = (config: Config) => (config.secureCookies ? '__Host-visit' : 'visit');

/** A cookie for the pages only: scripts cannot read it, and forms of other sites do not send it. */
export function pageCookie(name: string, value: string, maxAge: number, path = '/'): Cookie {
  return { name, value, maxAge, path, httpOnly: true, sameSite: 'lax' };
}
