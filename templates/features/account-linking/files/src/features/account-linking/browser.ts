import { createHash } from 'node:crypto';
import type { Config } from '../../config.js';
import type { Cookie } from '../../http/cookies.js';
import type { RequestInfo } from '../../http/request.js';
import { randomToken } from '../../process/random.js';

const TOKEN = /^[0-9a-f]{64}$/;
const LIFETIME_SECONDS = 60 * 60;

/**
 * Identifies the browser that is sent to a provider, so that the callback works only in the same one:
 * its cookie, kept or new (parallel tabs share it), and the cookie's SHA-256. Only the hash is stored, so a
 * stolen database does not let anybody pose as the browser.
 */
export function knownBrowser(config: Config, request: RequestInfo) {
  const token = tokenOf(config, request) ?? randomToken();
  const cookie: Cookie = {
    name: cookieName(config),
    value: token,
    maxAge: LIFETIME_SECONDS,
    path: '/',
    httpOnly: true,
    // The callback is a navigation from another site, which sends no `strict` cookie.
    sameSite: config.COOKIE_SAMESITE === 'strict' ? 'lax' : config.COOKIE_SAMESITE,
  };
  return { hash: hashOf(token), cookie };
}

/** The hash of the browser's cookie; undefined if it has none. */
export function browserHashOf(config: Config, request: RequestInfo): string | undefined {
  const token = tokenOf(config, request);
  return token && hashOf(token);
}

function tokenOf(config: Config, { cookies }: RequestInfo): string | undefined {
  return TOKEN.exec(cookies[cookieName(config)] ?? '')?.[0];
}

/** With https only the `__Host-` name is read, which no sibling domain can set (RFC 6265bis §4.1.3). */
function cookieName({ secureCookies }: Config): string {
  return secureCookies ? '__Host-oauth-browser' : 'oauth-browser';
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
