import { readSessionCookie } from '../http/cookies.js';
import { refuse } from '../http/errors.js';
import type { RequestInfo } from '../http/request.js';
import type { Services } from '../services.js';
import type { Account } from '../users/account.js';

/** The signed-in user of a request. */
export interface Caller extends Account {
  /** The `jti` of a single-purpose token, which belongs to no session. */
  sessionId: string;
  /** How the credential was sent: a browser attaches cookies by itself, hence the CSRF check. */
  via: 'cookie' | 'bearer' | 'single-purpose';
}

/**
 * The caller of a request, by `Authorization: Bearer` or else by cookie. One query reads the user,
 * the roles and, with `checksSession`, the session: a revocation, a new role or a deleted account
 * takes effect at once.
 * Throws INVALID_TOKEN; SESSION_REVOKED if the token is valid but its session has ended, or the
 * account is disabled.
 */
export async function authenticate(
  services: Services,
  request: RequestInfo,
  checksSession: boolean,
): Promise<Caller> {
  const { bearerToken } = request;
  const token = bearerToken ?? readSessionCookie(services.config, request, 'accessToken');
  const claims = services.accessTokens.verify(token);
  if (!claims?.sid) throw refuse('INVALID_TOKEN');
  const account = checksSession
    ? await services.sessions.findAccount(claims.sid)
    : await services.users.findAccount(claims.sub);
  if (!account) {
    // A deleted user's token is simply invalid; an existing user learns that the session has ended.
    const user = await services.users.findById(claims.sub);
    throw refuse(user ? 'SESSION_REVOKED' : 'INVALID_TOKEN');
  }
  if (account.user.id !== claims.sub) throw refuse('INVALID_TOKEN');
  // Disabling ends all sessions; this catches a session opened meanwhile, or one that is not looked up.
  if (account.user.disabledAt !== null) throw refuse('SESSION_REVOKED');
  const via = bearerToken === undefined ? 'cookie' : 'bearer';
  return { ...account, sessionId: claims.sid, via };
}
