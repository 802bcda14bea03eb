import type { Db } from '../../db/schema.js';
import { now } from '../../process/clock.js';

export interface OauthTables {
  /** Sign-ins under way at a provider. */
  oauth_states: {
    /** The `jti` of the state. */
    id: string;
    /** SHA-256 of the browser's cookie. */
    browser_hash: string;
    /** What the callback needs, sealed. */
    sealed: string;
    /** ms since the epoch. */
    expires_at: number;
  };
}

declare module '../../db/schema.js' {
  interface Database extends OauthTables {}
}

export interface OauthStore {
  /** Stores what the callback needs, until `expiresAt` (ms). */
  open(id: string, browserHash: string, sealed: string, expiresAt: number): Promise<void>;
  /**
   * Consumes a sign-in and returns what was stored; undefined if it is unknown, expired, used or another
   * browser's.
   */
  consume(id: string, browserHash: string): Promise<string | undefined>;
}

export function oauthStore(db: Db): OauthStore {
  return {
    async open(id, browserHash, sealed, expiresAt) {
      await db.deleteFrom('oauth_states').where('expires_at', '<=', now()).execute();
      const row = { id, browser_hash: browserHash, sealed, expires_at: expiresAt };
      await db.insertInto('oauth_states').values(row).execute();
    },

    async consume(id, browserHash) {
      const row = await db
        .selectFrom('oauth_states')
        .select('sealed')
        .where('id', '=', id)
        .where('browser_hash', '=', browserHash)
        .where('expires_at', '>', now())
        .executeTakeFirst();
      if (!row) return undefined;
      // Of two parallel uses exactly one deletes the row.
      const { numDeletedRows } = await db
        .deleteFrom('oauth_states')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows === 1n ? row.sealed : undefined;
    },
  };
}
