import { createHash } from 'node:crypto';
import type { Config } from '../../config.js';
import type { Cookie } from '../../http/cookies.js';
import type { RequestFacts } from '../../http/request.js';
import { randomToken } from '../../random.js';

const TOKEN = /^[0-9a-f]{64}$/;
const LIFETIME_SECONDS = 60 * 60;

/** A browser that was sent to a provider: what comes back counts only in the same one. */
export interface Browser {
  /** SHA-256 of the cookie: the database alone does not let anybody pose as the browser. */
  hash: string;
  cookie: Cookie;
}

/** The browser of this request, with its cookie kept or made anew; parallel tabs share one. */
export function knownBrowser(config: Config, request: RequestFacts): Browser {
  const token = tokenOf(config, request) ?? randomToken();
  const cookie: Cookie = {
    name: nameOf(config),
    value: token,
    maxAge: LIFETIME_SECONDS,
    path: '/',
    httpOnly: true,
    // The way back from the provider is a navigation from another site: `strict` would lose it.
    sameSite: config.COOKIE_SAMESITE === 'strict' ? 'lax' : config.COOKIE_SAMESITE,
  };
  return { hash: hashOf(token), cookie };
}

/** The hash of the browser's cookie; undefined if it has none. */
export function browserHashOf(config: Config, request: RequestFacts): string | undefined {
  const token = tokenOf(config, request);
  return token && hashOf(token);
}

function tokenOf(config: Config, request: RequestFacts): string | undefined {
  const token = request.cookies[nameOf(config)] ?? '';
  return TOKEN.test(token) ? token : undefined;
}

/** One name and no other variant: with `__Host-` no sibling domain can have planted it (RFC 6265bis §4.1.3). */
function nameOf(config: Config): string {
  return config.secureCookies ? '__Host-oauth-browser' : 'oauth-browser';
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
