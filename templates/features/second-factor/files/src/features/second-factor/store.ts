import { now } from '../../clock.js';
import type { Db } from '../../db/schema.js';

/** A sign-in that waits for its second factor. */
export interface LoginChallenge {
  id: string;
  userId: string;
  /** The first factor. */
  method: string;
  provider: string | null;
}

export interface SecondFactorStore {
  /** Stores a challenge that lives until `expiresAt` (ms). */
  open(challenge: LoginChallenge, expiresAt: number): Promise<void>;
  find(id: string): Promise<LoginChallenge | undefined>;
  /** Takes one of `limit` attempts; false if none is left. Parallel guesses cannot share one. */
  takeAttempt(id: string, limit: number): Promise<boolean>;
  /** Ends every challenge of a user. */
  closeAll(userId: string): Promise<void>;
  /** Uses the challenge up; false if another request was first. */
  consume(id: string): Promise<boolean>;
}

/** The store of login challenges on the service's database. */
export function secondFactorStore(db: Db): SecondFactorStore {
  return {
    async open(challenge, expiresAt) {
      await db.deleteFrom('login_challenges').where('expires_at', '<=', now()).execute();
      await db
        .insertInto('login_challenges')
        .values({
          id: challenge.id,
          user_id: challenge.userId,
          method: challenge.method,
          provider: challenge.provider,
          attempts: 0,
          expires_at: expiresAt,
        })
        .execute();
    },

    async find(id) {
      return db
        .selectFrom('login_challenges')
        .select(['id', 'user_id as userId', 'method', 'provider'])
        .where('id', '=', id)
        .where('expires_at', '>', now())
        .executeTakeFirst();
    },

    async takeAttempt(id, limit) {
      const { numUpdatedRows } = await db
        .updateTable('login_challenges')
        .set((column) => ({ attempts: column('attempts', '+', 1) }))
        .where('id', '=', id)
        .where('attempts', '<', limit)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async closeAll(userId) {
      await db.deleteFrom('login_challenges').where('user_id', '=', userId).execute();
    },

    async consume(id) {
      const { numDeletedRows } = await db
        .deleteFrom('login_challenges')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
  };
}
