import { randomNonce, randomPKCECodeVerifier } from 'openid-client';
import type { Db } from '../../db/schema.js';
import { insertUnlessTaken } from '../../db/sql.js';
import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import { isReturnPath } from '../../http/return-path.js';
import { now } from '../../process/clock.js';
import { randomId } from '../../process/random.js';
import type { Services } from '../../services.js';
import { browserHashOf } from '../account-linking/browser.js';
import { seal, unseal } from '../data-key/seal.js';

/** How long a person may take to sign in at the provider. */
const LIFETIME = 10 * 60 * 1000;

/** What the callback needs and the provider must not read: it is sealed inside the state. */
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

/** The path of the app to redirect to after the sign-in, `/` by default. Throws OAUTH_RETURN_PATH_INVALID. */
export function checkReturnPath(path: string | null): string {
  if (path === null) return '/';
  if (!isReturnPath(path)) throw refuse('OAUTH_RETURN_PATH_INVALID');
  return path;
}

/** A sign-in, and the state for it: authenticated, and bound to provider and browser (RFC 9700 §2.1, §4.7). */
export function startJourney(
  { config }: Services,
  provider: string,
  browserHash: string,
  returnPath: string,
): Journey & { state: string } {
  const journey = {
    id: randomId(),
    verifier: randomPKCECodeVerifier(),
    nonce: randomNonce(),
    returnPath,
    expiresAt: now() + LIFETIME,
  };
  const state = seal(config, contextOf(provider, browserHash), JSON.stringify(journey));
  return { ...journey, state };
}

/**
 * Uses up the state of a callback; it works once, for ten minutes. The state of another browser is refused, so
 * that nobody can sign this browser in to their own account (login CSRF), and stays valid for that browser.
 * Throws INVALID_OAUTH_STATE.
 */
export async function consumeState(
  { config, oauth }: Services,
  request: RequestInfo,
  provider: string,
  state: string,
): Promise<Journey> {
  const context = contextOf(provider, browserHashOf(config, request) ?? '');
  const opened = unseal(config, context, state);
  if (!opened) throw refuse('INVALID_OAUTH_STATE');
  const journey: Journey = JSON.parse(opened.text);
  const isLive = journey.expiresAt > now();
  if (!isLive || !(await oauth.use(journey.id, journey.expiresAt))) {
    throw refuse('INVALID_OAUTH_STATE');
  }
  return journey;
}

function contextOf(provider: string, browserHash: string): string {
  return `oauth-state:${provider}:${browserHash}`;
}

declare module '../../db/schema.js' {
  interface Database {
    /** Used states, kept until they would have expired. */
    oauth_used_states: {
      id: string;
      /** ms since the epoch. */
      expires_at: number;
    };
  }
}

export function oauthStore(db: Db) {
  return {
    /** Remembers until `expiresAt` (ms) that a state was used; false if it was used before. */
    async use(id: string, expiresAt: number): Promise<boolean> {
      await db.deleteFrom('oauth_used_states').where('expires_at', '<=', now()).execute();
      const row = { id, expires_at: expiresAt };
      return insertUnlessTaken(db.insertInto('oauth_used_states').values(row));
    },
  };
}
