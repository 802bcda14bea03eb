import { randomPKCECodeVerifier } from 'openid-client';
import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import { isReturnPath } from '../../http/return-path.js';
import { now } from '../../process/clock.js';
import { randomId } from '../../process/random.js';
import type { Services } from '../../services.js';
import { browserOf } from '../account-linking/browser.js';
import { seal, unseal } from '../data-key/seal.js';

/** How long a person may take to sign in at the provider. */
export const LIFETIME_SECONDS = 10 * 60;

/** The path of the app to redirect to after the sign-in, `/` by default. Throws OAUTH_RETURN_PATH_INVALID. */
export function checkReturnPath(path: string | null): string {
  if (path === null) return '/';
  if (!isReturnPath(path)) throw refuse('OAUTH_RETURN_PATH_INVALID');
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
