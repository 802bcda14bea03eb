import { now } from '../clock.js';
import type { Config } from '../config.js';
import type { Keys } from './keys.js';
import { type Claims, verifyToken } from './tokens.js';

/** Tokens remembered at a time, of 1 kB or so each; the oldest makes room. */
const CAPACITY = 2_000;

export interface AccessTokens {
  /** The claims of an access token, or undefined for anything else. */
  verify(token: string): Claims | undefined;
}

/**
 * Access tokens that were verified once. A client sends the same one with every request until it
 * expires, and checking its signature costs as much as all else that a request needs.
 *
 * Safe, because only what cannot change is remembered: that these very bytes carry our signature. The
 * expiry is looked at every time, and so are session, user and roles, in the database.
 */
export function createAccessTokens(config: Config, keys: Keys): AccessTokens {
  const verified = new Map<string, Claims>();

  function remember(token: string, claims: Claims): void {
    // A Map keeps the order of insertion.
    const [oldest] = verified.size >= CAPACITY ? verified.keys() : [];
    if (oldest !== undefined) verified.delete(oldest);
    verified.set(token, claims);
  }

  return {
    verify(token) {
      const known = verified.get(token);
      if (known && now() < known.exp * 1000) return known;
      const claims = verifyToken(config, keys.access, 'access', token);
      if (claims) remember(token, claims);
      else verified.delete(token);
      return claims;
    },
  };
}
