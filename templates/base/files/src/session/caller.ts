import type { RoleGrant } from '../users/role-grant.js';
import type { User } from '../users/user.js';

/** A user with what their roles allow. */
export interface Account {
  user: User;
  roles: RoleGrant;
  isTotpEnabled: boolean;
}

/** The signed-in user of a request. */
export interface Caller extends Account {
  /** Empty for a single-purpose token: it belongs to no session. */
  sessionId: string;
  /** How the credential came: a browser attaches cookies by itself, hence the CSRF check. */
  via: 'cookie' | 'bearer' | 'single-purpose';
  /** The `jti` of a single-purpose token, for whoever issued it to look up. */
  tokenId?: string;
}
