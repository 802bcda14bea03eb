export interface OauthTables {
  /** Sign-ins that are under way at a provider. */
  oauth_states: {
    /** The `jti` of the state. */
    id: string;
    /** SHA-256 of the cookie of the browser that was sent there. */
    browser_hash: string;
    /** What the way back needs: PKCE verifier, nonce, path. */
    sealed: string;
    /** ms since the epoch. */
    expires_at: number;
  };
}
