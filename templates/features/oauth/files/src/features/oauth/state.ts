import { randomNonce, randomPKCECodeVerifier } from 'openid-client';
import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import { now } from '../../process/clock.js';
import { randomId } from '../../process/random.js';
import { seal, unseal } from '../../process/seal.js';
import type { Services } from '../../services.js';
import { browserHashOf } from '../account-linking/browser.js';

/** How long a person may take to sign in at the provider. */
const LIFETIME = 10 * 60 * 1000;

/** What the callback needs, and the provider must not read: it travels in the state, sealed. */
export interface Journey {
  id: string;
  /** For PKCE. */
  verifier: string;
  nonce: string;
  /** The page to redirect to. */
  returnPath: string;
  /** In ms. */
  expiresAt: number;
}

const RETURN_PATH_LENGTH = 512;
/** Begins with `/`; without control characters, and without `\`, which browsers treat as `/`. */
const RETURN_PATH = /^\/[^\\\p{Cc}]*$/u;

/**
 * The path of the app to redirect to after the sign-in, `/` by default. An open redirect could send people
 * to a look-alike page right after they signed in.
 * Throws OAUTH_RETURN_PATH_INVALID.
 */
export function checkReturnPath(path: string | null): string {
  if (path === null) return '/';
  const isSafe =
    path.length <= RETURN_PATH_LENGTH && RETURN_PATH.test(path) && !path.includes('//');
  if (!isSafe) throw refuse('OAUTH_RETURN_PATH_INVALID');
  return path;
}

export function startJourney(returnPath: string): Journey {
  return {
    id: randomId(),
    verifier: randomPKCECodeVerifier(),
    nonce: randomNonce(),
    returnPath,
    expiresAt: now() + LIFETIME,
  };
}

/** The state of a request to a provider: authenticated, and bound to provider and browser (RFC 9700 §2.1, §4.7). */
export function sealState(
  { keys }: Services,
  provider: string,
  browserHash: string,
  journey: Journey,
): string {
  return seal(keys.sealing, contextOf(provider, browserHash), JSON.stringify(journey));
}

/**
 * Uses up the state of a callback; it works once and for ten minutes. The state of another browser is refused, so that
 * nobody can sign this browser in to their own account (login CSRF), and stays valid for that browser.
 * Throws INVALID_OAUTH_STATE.
 */
export async function consumeState(
  { config, keys, oauth }: Services,
  request: RequestInfo,
  provider: string,
  state: string,
): Promise<Journey> {
  const context = contextOf(provider, browserHashOf(config, request) ?? '');
  const sealed = unseal(keys.sealing, context, state);
  if (!sealed) throw refuse('INVALID_OAUTH_STATE');
  const journey: Journey = JSON.parse(sealed);
  const isLive = journey.expiresAt > now();
  if (!isLive || !(await oauth.use(journey.id, journey.expiresAt))) {
    throw refuse('INVALID_OAUTH_STATE');
  }
  return journey;
}

function contextOf(provider: string, browserHash: string): string {
  return `oauth-state:${provider}:${browserHash}`;
}
