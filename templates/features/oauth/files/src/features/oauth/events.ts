export interface OauthEvents {
  /** The provider said who it is, and the account is known: login checks follow. */
  'identity.auth.oauth.success': { provider: string };
  'identity.auth.oauth.conflict': { provider: string; email: string };
}
