import { tokenClaims } from '../policy.js';
import { randomId } from '../random.js';
import type { Services } from '../services.js';
import type { Account } from './caller.js';
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
