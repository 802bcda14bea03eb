import { createHash } from 'node:crypto';
import { randomPKCECodeVerifier } from 'openid-client';
import type { Config } from '../../config.js';
import type { Cookie } from '../../http/cookies.js';
import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import { isReturnPath } from '../../http/return-path.js';
import { now } from '../../process/clock.js';
import { randomId, randomToken } from '../../process/random.js';
import type { Services } from '../../services.js';
import { seal, unseal } from '../data-key/seal.js';

/** How long a person may take to sign in at the provider. */
export const LIFETIME_SECONDS = 10 * 60;

/** The path of the app to redirect to after the sign-in, `/` by default. Throws OAUTH_RETURN_PATH_INVALID. */
export function checkReturnPath(path: string | null): string {
  if (path === null) return '/';
  const [, fragment, ...rest] = path.split('#');
  // The app would take a token in the fragment for that of its sign-in. No URL has a second `#` (RFC 3986 §3.5).
  const isToken = rest.length > 0 || new URLSearchParams(fragment).has('tempToken');
  if (isToken || !isReturnPath(path)) throw refuse('OAUTH_RETURN_PATH_INVALID');
  return path;
}

/** What the callback needs and the provider must not read: it is sealed inside the state. */
export type PendingSignIn = ReturnType<typeof startPendingSignIn>;

/** A new sign-in; its id is the nonce at an OpenID provider. */
export function startPendingSignIn(returnPath: string) {
  const verifier = randomPKCECodeVerifier();
  return { id: randomId(), verifier, returnPath, expiresAt: now() + LIFETIME_SECONDS * 1000 };
}

/** The state for a sign-in: authenticated, and bound to provider and browser (RFC 9700 §2.1, §4.7). */
export function stateOf(
  { config }: Services,
  provider: string,
  browser: string,
  pending: PendingSignIn,
) {
  return seal(config, contextOf(provider, browser), JSON.stringify(pending));
}

/**
 * Uses up the state of a callback; it works once, for ten minutes. The state of another browser is refused, so
 * that nobody can sign this browser in to their own account (login CSRF), and stays valid for that browser.
 * Throws INVALID_OAUTH_STATE.
 */
export async function consumeState(
  { config, limiter }: Services,
  request: RequestInfo,
  provider: string,
  state: string,
): Promise<PendingSignIn> {
  const opened = unseal(config, contextOf(provider, browserOf(config, request).hash), state);
  const pending: PendingSignIn | undefined = opened && JSON.parse(opened.text);
  const isLive = pending !== undefined && pending.expiresAt > now();
  if (!isLive || !(await limiter.allows([['usesOfState', pending.id]]))) {
    throw refuse('INVALID_OAUTH_STATE');
  }
  return pending;
}

function contextOf(provider: string, browserHash: string): string {
  return `oauth-state:${provider}:${browserHash}`;
}

const BROWSER = /^[0-9a-f]{64}$/;
const BROWSER_LIFETIME_SECONDS = 60 * 60;

/**
 * Identifies the browser that is sent to a provider, so that the callback works only in the same one:
 * its cookie, kept (parallel tabs share it) or new, and the cookie's SHA-256. Only the hash is stored, so a
 * stolen database does not let anybody pose as the browser.
 */
export function browserOf(config: Config, { cookies }: RequestInfo) {
  // With https only the `__Host-` name is read, which no sibling domain can set (RFC 6265bis §4.1.3).
  const name = config.secureCookies ? '__Host-oauth-browser' : 'oauth-browser';
  const value = BROWSER.exec(cookies[name] ?? '')?.[0] ?? randomToken();
  const cookie: Cookie = {
    ...{ name, value, maxAge: BROWSER_LIFETIME_SECONDS, path: '/', httpOnly: true },
    // The callback is a navigation from another site, which sends no `strict` cookie.
    sameSite: config.COOKIE_SAMESITE === 'strict' ? 'lax' : config.COOKIE_SAMESITE,
  };
  return { cookie, hash: createHash('sha256').update(value).digest('hex') };
}
