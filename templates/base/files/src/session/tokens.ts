import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Config } from '../config.js';
import { readSessionCookie, sessionCookie } from '../http/cookies.js';
import { createCsrfToken, isCsrfTokenOf } from '../http/cross-site.js';
import type { RequestInfo } from '../http/request.js';
import type { Result } from '../http/route.js';
import { tokenClaims } from '../policy.js';
import { now } from '../process/clock.js';
import { randomId } from '../process/random.js';
import type { Services } from '../services.js';
import type { Account } from '../users/account.js';
import { amrOf } from './reauthentication.js';
import type { LiveSession } from './session-store.js';

/** The first key signs, all verify, so that the secret can be rotated. */
type KeyList = [KeyObject, ...KeyObject[]];

/** Keys are created once: at every call, jsonwebtoken would parse a string again, as PEM first. */
export function createKeys({ ACCESS_TOKEN_SECRET, REFRESH_TOKEN_SECRET }: Config) {
  const keyOf = (secret: string) => createSecretKey(Buffer.from(secret));
  return {
    // Safe: `secretList` refuses an empty one.
    access: ACCESS_TOKEN_SECRET.map(keyOf) as KeyList,
    refresh: REFRESH_TOKEN_SECRET.map(keyOf) as KeyList,
    // A CSRF cookie lives as long as the refresh token beside it, so both verify for as long.
    csrf: REFRESH_TOKEN_SECRET.map((secret) => deriveKey(secret, 'csrf')) as KeyList,
  };
}

export type Keys = ReturnType<typeof createKeys>;

/** A key for one purpose (RFC 5869): a value sealed for one use is worthless for another. */
export function deriveKey(secret: string | KeyObject, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
}

/** The claims that every token carries (RFC 7519 §4.1). Times in seconds. */
export interface Claims extends Record<string, unknown> {
  sub: string;
  typ: string;
  jti: string;
  iat: number;
  exp: number;
  sid?: string;
}

/** Signs claims with the first key, HS256. `issuedAt` and `expiresAt` in ms. */
export function signToken(
  config: Config,
  keys: KeyList,
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
 * The claims of a token of exactly this type, or undefined for anything else. The algorithm is pinned
 * (RFC 8725 §3.1: no `none`, no key confusion) and `typ` is checked, so that a token of one type is
 * refused everywhere else (RFC 8725 §3.12). With `ignoreExpiration` an expired token is accepted.
 */
export function verifyToken(
  config: Config,
  keys: KeyObject[],
  type: string,
  token = '',
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
      }) as Claims;
      // `signToken` sets all claims; other tokens signed with this secret may never expire.
      return claims.typ === type && claims.exp ? claims : undefined;
    } catch {
      // Absent, expired or forged, or signed by an older secret: try the next key.
    }
  }
  return undefined;
}

/** Tokens cached at a time, about 1 kB each; the oldest makes room. */
const CAPACITY = 2_000;

/**
 * A cache of access tokens that were verified. A client sends the same one with every request until
 * it expires, and checking its signature costs as much as the rest of a request.
 *
 * Safe, because only what cannot change is cached: that these exact bytes carry our signature. The
 * expiry is checked every time, and so are session, user and roles, in the database.
 */
export function createAccessTokens(config: Config, keys: Keys) {
  const verified = new Map<string, Claims>();
  return {
    verify(token = ''): Claims | undefined {
      const known = verified.get(token);
      if (known && now() < known.exp * 1000) return known;
      const claims = verifyToken(config, keys.access, 'access', token);
      if (!claims) return undefined;
      // A Map keeps the order of insertion.
      const [oldest] = verified.size >= CAPACITY ? verified.keys() : [];
      if (oldest !== undefined) verified.delete(oldest);
      verified.set(token, claims);
      return claims;
    },
  };
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/**
 * The tokens of a session. The refresh token is derived from the session row alone: asking again
 * within the reuse window yields the same one, so parallel tabs never open a second branch.
 */
export function issueTokens(
  services: Services,
  session: LiveSession,
  account: Account,
  issuedAt: number,
): { accessToken: string; refreshToken: string } {
  const { config, keys } = services;
  const { user } = account;
  // A Record: spreading a promise would compile, without any claim.
  const own: Record<string, unknown> = tokenClaims(account);
  const identity = {
    ...own,
    sub: user.id,
    email: user.email,
    role: account.roles.primary,
    loginProvider: user.loginProvider,
    isEmailVerified: user.emailVerifiedAt !== null,
    isTotpEnabled: account.isTotpEnabled,
    amr: amrOf(services, session.factors),
    sid: session.id,
  };
  const { lastActiveAt, expiresAt } = session;
  const access = { ...identity, typ: 'access', jti: randomId() };
  const accessEnd = Math.min(issuedAt + config.ACCESS_TOKEN_TTL, expiresAt);
  const refresh = { sub: user.id, sid: session.id, typ: 'refresh', jti: session.refreshId };
  return {
    accessToken: signToken(config, keys.access, access, issuedAt, accessEnd),
    refreshToken: signToken(config, keys.refresh, refresh, lastActiveAt, expiresAt),
  };
}

/** Cookies for browsers; tokens in the body, and no cookie, for clients that ask for them. */
export function replyWithTokens(
  services: Services,
  request: RequestInfo,
  session: LiveSession,
  account: Account,
): Result {
  const { config, keys } = services;
  const tokens = issueTokens(services, session, account, now());
  if (request.wantsBearer) return { body: { success: true, ...tokens } };
  const refreshAge = Math.max(0, Math.ceil((session.expiresAt - now()) / 1000));
  const accessAge = Math.min(Math.floor(config.ACCESS_TOKEN_TTL / 1000), refreshAge);
  const cookies = [
    sessionCookie(config, 'accessToken', tokens.accessToken, accessAge),
    sessionCookie(config, 'refreshToken', tokens.refreshToken, refreshAge),
  ];
  if (config.CSRF) {
    // A token that is valid for this session is kept, so that a refresh does not break other tabs. One
    // signed with an older secret is replaced: it must not outlive the last refresh token of that secret.
    const current = readSessionCookie(config, request, 'csrf-token');
    const [newest] = keys.csrf;
    const isGood = current !== undefined && isCsrfTokenOf([newest], current, session.id);
    const csrfToken = isGood ? current : createCsrfToken(keys.csrf, session.id);
    cookies.push(sessionCookie(config, 'csrf-token', csrfToken, refreshAge));
  }
  return { body: { success: true }, cookies };
}
