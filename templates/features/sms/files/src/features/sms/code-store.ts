import { now } from '../../clock.js';
import { insertUnlessTaken } from '../../db/insert.js';
import type { Db } from '../../db/schema.js';

export interface CodeStore {
  /** Stores a code, by its hash, that lives until `expiresAt` (ms); an older one of its purpose dies. */
  save(userId: string, purpose: string, codeHash: string, expiresAt: number): Promise<void>;
  /** Takes one of `limit` attempts at a living code; false if none is left. Parallel guesses cannot share one. */
  takeAttempt(userId: string, purpose: string, limit: number): Promise<boolean>;
  /** Uses up a code; false if it is not this one, or another request was first. */
  consume(userId: string, purpose: string, codeHash: string): Promise<boolean>;
  removeAll(userId: string): Promise<void>;
}

/** The store of texted codes on the service's database. */
export function codeStore(db: Db): CodeStore {
  return {
    async save(userId, purpose, codeHash, expiresAt) {
      await db.deleteFrom('sms_codes').where('expires_at', '<=', now()).execute();
      const code = { code_hash: codeHash, attempts: 0, expires_at: expiresAt };
      const replace = () =>
        db
          .updateTable('sms_codes')
          .where('user_id', '=', userId)
          .where('purpose', '=', purpose)
          .set(code)
          .executeTakeFirst();
      if ((await replace()).numUpdatedRows > 0n) return;
      const row = { user_id: userId, purpose, ...code };
      if (!(await insertUnlessTaken(db.insertInto('sms_codes').values(row)))) await replace();
    },

    async takeAttempt(userId, purpose, limit) {
      const { numUpdatedRows } = await db
        .updateTable('sms_codes')
        .set((column) => ({ attempts: column('attempts', '+', 1) }))
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .where('attempts', '<', limit)
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async consume(userId, purpose, codeHash) {
      const { numDeletedRows } = await db
        .deleteFrom('sms_codes')
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .where('code_hash', '=', codeHash)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async removeAll(userId) {
      await db.deleteFrom('sms_codes').where('user_id', '=', userId).execute();
    },
  };
}
