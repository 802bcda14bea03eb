import { now } from '../../clock.js';
import type { Db } from '../../db/schema.js';

export interface OauthStore {
  /** Stores what a sign-in needs on its way back, until `expiresAt` (ms). */
  open(id: string, browserHash: string, sealed: string, expiresAt: number): Promise<void>;
  /**
   * Uses a sign-in up and returns what was stored; undefined if it is unknown, expired, of another
   * browser, or another request was first.
   */
  consume(id: string, browserHash: string): Promise<string | undefined>;
}

/** The store of sign-ins under way on the service's database. */
export function oauthStore(db: Db): OauthStore {
  return {
    async open(id, browserHash, sealed, expiresAt) {
      await db.deleteFrom('oauth_states').where('expires_at', '<=', now()).execute();
      await db
        .insertInto('oauth_states')
        .values({ id, browser_hash: browserHash, sealed, expires_at: expiresAt })
        .execute();
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
      // Whoever deletes the row has it: of two parallel uses exactly one affects a row.
      const { numDeletedRows } = await db
        .deleteFrom('oauth_states')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows === 1n ? row.sealed : undefined;
    },
  };
}
