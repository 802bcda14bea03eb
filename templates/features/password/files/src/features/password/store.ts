import { now } from '../../clock.js';
import { isUniqueViolation } from '../../db/errors.js';
import type { Db } from '../../db/schema.js';

export interface PasswordStore {
  /** The user's hash; undefined for an account without a password. */
  findHash(userId: string): Promise<string | undefined>;
  /** User and hash by address, in normal form, in one query. */
  findByEmail(email: string): Promise<{ userId: string; hash: string | null } | undefined>;
  /** Sets or replaces the hash. */
  save(userId: string, hash: string): Promise<void>;
  /** Sets the first hash; false if there is one by now. */
  add(userId: string, hash: string): Promise<boolean>;
  /** Leaves the account without a password. */
  remove(userId: string): Promise<void>;
  /** Replaces exactly this hash; false if it has changed meanwhile. */
  replace(userId: string, oldHash: string, hash: string): Promise<boolean>;
}

/** The password store on the service's database. */
export function passwordStore(db: Db): PasswordStore {
  async function add(userId: string, hash: string): Promise<boolean> {
    try {
      await db
        .insertInto('passwords')
        .values({ user_id: userId, hash, changed_at: now() })
        .execute();
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async function remove(userId: string): Promise<void> {
    await db.deleteFrom('passwords').where('user_id', '=', userId).execute();
  }

  return {
    async findHash(userId) {
      const row = await db
        .selectFrom('passwords')
        .select('hash')
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return row?.hash;
    },

    async findByEmail(email) {
      return db
        .selectFrom('users')
        .leftJoin('passwords', 'passwords.user_id', 'users.id')
        .select(['users.id as userId', 'passwords.hash'])
        .where('users.email', '=', email)
        .executeTakeFirst();
    },

    add,

    remove,

    async save(userId, hash) {
      await remove(userId);
      await add(userId, hash);
    },

    async replace(userId, oldHash, hash) {
      const { numUpdatedRows } = await db
        .updateTable('passwords')
        .set({ hash, changed_at: now() })
        .where('user_id', '=', userId)
        .where('hash', '=', oldHash)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}
