import { readSessionCookie, sessionCookie } from '../http/cookies.js';
import { createCsrfToken, isCsrfTokenOf } from '../http/csrf.js';
import type { RequestInfo } from '../http/request.js';
import type { Result } from '../http/route.js';
import { tokenClaims } from '../policy.js';
import { now } from '../process/clock.js';
import { randomId } from '../process/random.js';
import type { Services } from '../services.js';
import type { Account } from '../users/account.js';
import type { LiveSession } from './session.js';
import { signToken } from './tokens.js';

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
}

/**
 * The tokens of a session. The refresh token is derived from the session row alone: whoever asks
 * within the reuse window gets the same one again, so parallel tabs never open a second branch.
 */
export function issueTokens(
  services: Services,
  session: LiveSession,
  account: Account,
  issuedAt: number,
): TokenPair {
  const { config, keys } = services;
  const { user } = account;
  const identity = {
    ...tokenClaims(account),
    sub: user.id,
    email: user.email,
    role: account.roles.primary,
    loginProvider: user.loginProvider,
    isEmailVerified: user.emailVerifiedAt !== null,
    isTotpEnabled: account.isTotpEnabled,
    sid: session.id,
  };
  const accessEnd = Math.min(issuedAt + config.ACCESS_TOKEN_TTL, session.expiresAt);
  return {
    accessToken: signToken(
      config,
      keys.access,
      { ...identity, typ: 'access', jti: randomId() },
      issuedAt,
      accessEnd,
    ),
    refreshToken: signToken(
      config,
      keys.refresh,
      { sub: user.id, sid: session.id, typ: 'refresh', jti: session.refreshId },
      session.rotatedAt,
      session.expiresAt,
    ),
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
    // A token that is good for this session is kept, so that a refresh does not break other tabs.
    const current = readSessionCookie(request.cookies, 'csrf-token');
    const isGood = current !== undefined && isCsrfTokenOf(keys.csrf, current, session.id);
    const csrfToken = isGood ? current : createCsrfToken(keys.csrf, session.id);
    cookies.push(sessionCookie(config, 'csrf-token', csrfToken, refreshAge));
  }
  return { body: { success: true }, cookies };
}
