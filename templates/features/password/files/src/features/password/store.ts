import { affectsRow, updateOrInsert } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { insertUnlessTaken, locked } from '../../db/sql.js';

declare module '../../db/schema.js' {
  interface Database {
    passwords: {
      user_id: string;
      hash: string;
    };
  }
}

export function passwordStore(db: Db) {
  const hashes = (userId: string) =>
    db.selectFrom('passwords').select('hash').where('user_id', '=', userId);
  const update = (userId: string) => db.updateTable('passwords').where('user_id', '=', userId);
  const insert = (userId: string, hash: string) =>
    db.insertInto('passwords').values({ user_id: userId, hash });

  return {
    /** The user's hash; undefined for an account without a password. */
    async findHash(userId: string): Promise<string | undefined> {
      return (await hashes(userId).executeTakeFirst())?.hash;
    },

    /** The same, locked against changes until this transaction ends. */
    async lockHash(userId: string): Promise<string | undefined> {
      return (await locked(hashes(userId)).executeTakeFirst())?.hash;
    },

    async remove(userId: string): Promise<boolean> {
      return affectsRow(db.deleteFrom('passwords').where('user_id', '=', userId));
    },

    async save(userId: string, hash: string): Promise<void> {
      await updateOrInsert(update(userId).set({ hash }), insert(userId, hash));
    },

    /** Replaces exactly this hash, undefined for none; false if it has changed meanwhile. */
    async replace(userId: string, oldHash: string | undefined, hash: string): Promise<boolean> {
      if (oldHash === undefined) return insertUnlessTaken(insert(userId, hash));
      return affectsRow(update(userId).where('hash', '=', oldHash).set({ hash }));
    },
  };
}
