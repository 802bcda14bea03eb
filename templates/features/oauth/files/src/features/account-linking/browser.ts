import { createHash } from 'node:crypto';
import type { Config } from '../../config.js';
import type { Cookie } from '../../http/cookies.js';
import type { RequestInfo } from '../../http/request.js';
import { randomToken } from '../../process/random.js';

const TOKEN = /^[0-9a-f]{64}$/;
const LIFETIME_SECONDS = 60 * 60;

/**
 * Identifies the browser that is sent to a provider, so that the callback works only in the same one:
 * its cookie, kept (parallel tabs share it) or new, and the cookie's SHA-256. Only the hash is stored, so a
 * stolen database does not let anybody pose as the browser.
 */
export function browserOf(config: Config, { cookies }: RequestInfo) {
  // With https only the `__Host-` name is read, which no sibling domain can set (RFC 6265bis §4.1.3).
  const name = config.secureCookies ? '__Host-oauth-browser' : 'oauth-browser';
  const value = TOKEN.exec(cookies[name] ?? '')?.[0] ?? randomToken();
  const cookie: Cookie = {
    ...{ name, value, maxAge: LIFETIME_SECONDS, path: '/', httpOnly: true },
    // The callback is a navigation from another site, which sends no `strict` cookie.
    sameSite: config.COOKIE_SAMESITE === 'strict' ? 'lax' : config.COOKIE_SAMESITE,
  };
  return { cookie, hash: createHash('sha256').update(value).digest('hex') };
}
