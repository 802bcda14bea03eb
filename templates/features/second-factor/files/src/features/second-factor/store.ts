import { changesRow } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { now } from '../../process/clock.js';

declare module '../../db/schema.js' {
  interface Database {
    /** Sign-ins that wait for their second factor. */
    login_challenges: {
      /** The `jti` of the temp token. */
      id: string;
      user_id: string;
      method: string;
      provider: string | null;
      expires_at: number;
    };
  }
}

/** A sign-in that waits for its second factor. */
export interface LoginChallenge {
  id: string;
  userId: string;
  /** The first factor. */
  method: string;
  /** Who vouched for the first factor, if not this service. */
  provider: string | null;
}

/** Login challenges in the service's database. */
export function secondFactorStore(db: Db) {
  return {
    /** Stores a challenge that lives until `expiresAt` (ms). */
    async open({ userId, ...challenge }: LoginChallenge, expiresAt: number): Promise<void> {
      await db.deleteFrom('login_challenges').where('expires_at', '<=', now()).execute();
      const row = { ...challenge, user_id: userId, expires_at: expiresAt };
      await db.insertInto('login_challenges').values(row).execute();
    },

    async find(id: string): Promise<LoginChallenge | undefined> {
      return db
        .selectFrom('login_challenges')
        .select(['id', 'user_id as userId', 'method', 'provider'])
        .where('id', '=', id)
        .where('expires_at', '>', now())
        .executeTakeFirst();
    },

    /** Ends every challenge of a user. */
    async closeAll(userId: string): Promise<void> {
      await db.deleteFrom('login_challenges').where('user_id', '=', userId).execute();
    },

    /** Consumes the challenge; false if another request was first. */
    async consume(id: string): Promise<boolean> {
      return changesRow(db.deleteFrom('login_challenges').where('id', '=', id));
    },
  };
}
