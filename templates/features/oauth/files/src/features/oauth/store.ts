import type { Db } from '../../db/schema.js';
import { insertUnlessTaken } from '../../db/sql.js';
import { now } from '../../process/clock.js';

declare module '../../db/schema.js' {
  interface Database {
    /** States that were used, until they expire by themselves. */
    oauth_used_states: {
      id: string;
      /** ms since the epoch. */
      expires_at: number;
    };
  }
}

export function oauthStore(db: Db) {
  return {
    /** Remembers until `expiresAt` (ms) that a state was used; false if it was used before. */
    async use(id: string, expiresAt: number): Promise<boolean> {
      await db.deleteFrom('oauth_used_states').where('expires_at', '<=', now()).execute();
      const row = { id, expires_at: expiresAt };
      return insertUnlessTaken(db.insertInto('oauth_used_states').values(row));
    },
  };
}
