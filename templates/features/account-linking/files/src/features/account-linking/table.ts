/** Times are ms since the epoch. No token of a provider is stored. */
export interface AccountLinkingTables {
  /** What opens an account besides its own credentials. */
  linked_accounts: {
    /** `email` for a further address of the owner's. */
    provider: string;
    /** The provider's own, unchanging name for the account. */
    provider_account_id: string;
    user_id: string;
    /** What the provider said last; never used to look somebody up. */
    email: string | null;
    name: string | null;
    picture: string | null;
    linked_at: number;
  };
  /** Sign-ins at a provider that ended in a conflict: they may ask the address's owner to be let in. */
  pending_links: {
    /** The local account's address. */
    email: string;
    provider: string;
    provider_account_id: string;
    name: string | null;
    picture: string | null;
    /** SHA-256 of the cookie of the browser that signed in. */
    browser_hash: string;
    expires_at: number;
  };
}
