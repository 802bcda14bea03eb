import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Config } from '../config.js';
import { now } from '../process/clock.js';

/** Keys are made once: jsonwebtoken parses a string anew, as a PEM first, at every call. */
export interface Keys {
  /** The first signs, all verify: a comma list in the variable rotates the secret. */
  access: [KeyObject, ...KeyObject[]];
  refresh: [KeyObject, ...KeyObject[]];
  csrf: KeyObject;
  /** Encrypt what is stored. */
  sealing: [KeyObject, ...KeyObject[]];
}

export function createKeys(config: Config): Keys {
  const access = keyList(config.ACCESS_TOKEN_SECRET);
  const [first, ...older] = access;
  return {
    access,
    refresh: keyList(config.REFRESH_TOKEN_SECRET),
    csrf: deriveKey(first, 'csrf'),
    sealing: [deriveKey(first, 'sealing'), ...older.map((key) => deriveKey(key, 'sealing'))],
  };
}

function keyList(secrets: string[]): [KeyObject, ...KeyObject[]] {
  const [first, ...others] = secrets.map((secret) => createSecretKey(Buffer.from(secret)));
  if (!first) throw new Error('A token secret is missing.');
  return [first, ...others];
}

/** A key for one purpose (RFC 5869): a value sealed for one use is worthless for another. */
export function deriveKey(key: KeyObject, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));
}

/** The claims that a verified token is known to carry (RFC 7519 §4.1). Times in seconds. */
export interface Claims extends Record<string, unknown> {
  sub: string;
  typ: string;
  jti: string;
  iat: number;
  exp: number;
}

/** Signs claims with the first key, HS256. `issuedAt` and `expiresAt` in ms. */
export function signToken(
  config: Config,
  keys: [KeyObject, ...KeyObject[]],
  claims: { sub: string; typ: string; jti: string } & Record<string, unknown>,
  issuedAt: number,
  expiresAt: number,
): string {
  return jwt.sign(
    {
      ...claims,
      iss: config.BASE_URL,
      aud: config.BASE_URL,
      iat: Math.floor(issuedAt / 1000),
      exp: Math.floor(expiresAt / 1000),
    },
    keys[0],
    { algorithm: 'HS256' },
  );
}

/**
 * The claims of a token of exactly this type, or undefined for anything else. The algorithm is
 * pinned (RFC 8725 §3.1: no `none`, no key confusion) and `typ` is checked, so that a token of one
 * type is refused everywhere else (RFC 8725 §3.12). With `ignoreExpiration` an expired one will do.
 */
export function verifyToken(
  config: Config,
  keys: KeyObject[],
  type: string,
  token: string,
  { ignoreExpiration = false } = {},
): Claims | undefined {
  for (const key of keys) {
    try {
      const claims = jwt.verify(token, key, {
        algorithms: ['HS256'],
        issuer: config.BASE_URL,
        audience: config.BASE_URL,
        clockTimestamp: Math.floor(now() / 1000),
        ignoreExpiration,
      });
      return isClaims(claims) && claims.typ === type ? claims : undefined;
    } catch {
      // Signed by an older secret, expired or forged: try the next key.
    }
  }
  return undefined;
}

function isClaims(claims: string | jwt.JwtPayload): claims is Claims {
  if (typeof claims === 'string') return false;
  const { sub, typ, jti, iat, exp } = claims;
  const hasIds = [sub, typ, jti].every((claim) => typeof claim === 'string');
  return hasIds && typeof iat === 'number' && typeof exp === 'number';
}

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
