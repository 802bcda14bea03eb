import { now } from '../../clock.js';
import { insertUnlessTaken } from '../../db/insert.js';
import { locked } from '../../db/locks.js';
import type { Db } from '../../db/schema.js';

export interface PasswordStore {
  /** The user's hash; undefined for an account without a password. */
  findHash(userId: string): Promise<string | undefined>;
  /** The same, and nobody changes it until this transaction ends. */
  lockHash(userId: string): Promise<string | undefined>;
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
    const row = { user_id: userId, hash, changed_at: now() };
    return insertUnlessTaken(db.insertInto('passwords').values(row));
  }

  async function set(userId: string, hash: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('passwords')
      .set({ hash, changed_at: now() })
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
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

    async lockHash(userId) {
      const query = db.selectFrom('passwords').select('hash').where('user_id', '=', userId);
      return (await locked(query).executeTakeFirst())?.hash;
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

    async remove(userId) {
      await db.deleteFrom('passwords').where('user_id', '=', userId).execute();
    },

    async save(userId, hash) {
      if (await set(userId, hash)) return;
      // Lost against a parallel first password: ours is the later one.
      if (!(await add(userId, hash))) await set(userId, hash);
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
