import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { now } from '../clock.js';
import type { Config } from '../config.js';

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
 * type is refused everywhere else (RFC 8725 §3.12).
 */
export function verifyToken(
  config: Config,
  keys: KeyObject[],
  type: string,
  token: string,
): Claims | undefined {
  for (const key of keys) {
    try {
      const claims = jwt.verify(token, key, {
        algorithms: ['HS256'],
        issuer: config.BASE_URL,
        audience: config.BASE_URL,
        clockTimestamp: Math.floor(now() / 1000),
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
