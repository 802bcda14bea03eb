import { parseCookie, stringifySetCookie } from 'cookie';
import type { Config } from '../config.js';
import type { RequestInfo } from './request.js';

export interface Cookie {
  name: string;
  value: string;
  /** Seconds; 0 deletes the cookie. */
  maxAge: number;
  path: string;
  httpOnly: boolean;
  domain?: string | undefined;
  /** Default: COOKIE_SAMESITE. */
  sameSite?: Config['COOKIE_SAMESITE'];
}

/** `newcomer` marks the browser that created an account, even before it is signed in. */
const KINDS = ['accessToken', 'refreshToken', 'csrf-token', 'newcomer'] as const;

/** `device` outlives sessions, and grants no access. */
export type SessionCookie = (typeof KINDS)[number] | 'device';

/**
 * Name prefixes by which a browser vouches for a cookie (RFC 6265bis §4.1.3): no sibling domain and
 * no plain-http page can have set a `__Host-` cookie.
 */
const PREFIXES = ['__Host-', '__Secure-', ''];

/** A session cookie with the name, path and lifetime (seconds) it has under this configuration. */
export function sessionCookie(
  config: Config,
  kind: SessionCookie,
  value: string,
  maxAge: number,
): Cookie {
  return {
    name: `${prefixOf(config, kind)}${kind}`,
    value,
    maxAge,
    path: pathOf(config, kind),
    httpOnly: kind !== 'csrf-token',
    domain: config.COOKIE_DOMAIN,
  };
}

/**
 * A session cookie's value; an empty one counts as absent. Only the name that this configuration sets is
 * read: one without the prefix may come from a sibling domain, which would sign people in to its own account.
 */
export function readSessionCookie(config: Config, { cookies }: RequestInfo, kind: SessionCookie) {
  return cookies[`${prefixOf(config, kind)}${kind}`] || undefined;
}

/** The value in `cookies`, perhaps renewed, then others of that name. Ours are longer: a thousand short ones take 0.1 s. */
export function readSessionCookies(config: Config, request: RequestInfo, kind: SessionCookie) {
  const name = `${prefixOf(config, kind)}${kind}`;
  const sent = request.header('cookie')?.split(';') ?? [];
  const [, ...others] = sent.flatMap((each) => readCookies(each)[name] ?? []);
  return [request.cookies[name] ?? [], others].flat().filter(({ length }) => length > 100);
}

/** As they are: we set none that needs decoding, and 3,000 malformed ones would take 0.05 s to decode. */
export function readCookies(header: string) {
  return parseCookie(header, { decode: (value) => value });
}

/** Deletes every variant: a configuration change must not leave a signed-in cookie behind. */
export function clearedSessionCookies(config: Config): Cookie[] {
  return KINDS.flatMap((kind) =>
    PREFIXES.flatMap((prefix) => {
      const cookie = { ...sessionCookie(config, kind, '', 0), name: `${prefix}${kind}` };
      const hostOnly = { ...cookie, domain: undefined };
      // A browser drops a `__Host-` cookie that is not for `/`, or that names a domain.
      if (prefix === '__Host-') return [{ ...hostOnly, path: '/' }];
      return cookie.domain ? [cookie, hostOnly] : [hostOnly];
    }),
  );
}

/** The Set-Cookie header's value. */
export function serializeCookie(config: Config, cookie: Cookie): string {
  const secure = config.secureCookies || cookie.name.startsWith('__');
  const sameSite = cookie.sameSite ?? config.COOKIE_SAMESITE;
  return stringifySetCookie({ ...cookie, secure, sameSite }, { encode: (value) => value });
}

function prefixOf(config: Config, kind: SessionCookie): string {
  if (!config.secureCookies) return '';
  return isHostOnly(config, kind) ? '__Host-' : '__Secure-';
}

/** True for a cookie that no sibling domain can set: it has a `__Host-` name. */
export function isHostOnly(config: Config, kind: SessionCookie): boolean {
  return config.secureCookies && !config.COOKIE_DOMAIN && pathOf(config, kind) === '/';
}

/** The refresh token and the device cookie are sent to the auth routes only: no other handler can leak them. */
function pathOf(config: Config, kind: SessionCookie): string {
  return kind === 'refreshToken' || kind === 'device' ? config.AUTH_PREFIX : '/';
}
