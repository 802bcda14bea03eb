import type { Generated } from 'kysely';

/** Secrets that were mailed or texted. Times are ms since the epoch. */
export interface OneTimeTokenTables {
  one_time_tokens: {
    /** SHA-256 of the secret in hex: whoever reads the table cannot use what it holds. */
    token_hash: string;
    /** What the token is good for, such as `reset`. */
    kind: string;
    user_id: string;
    payload: Generated<string>;
    expires_at: number;
  };
}
