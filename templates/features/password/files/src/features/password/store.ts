import type { Db } from '../../db/schema.js';
import { insertUnlessTaken, locked } from '../../db/sql.js';
import { now } from '../../process/clock.js';

export interface PasswordTables {
  passwords: {
    user_id: string;
    hash: string;
    changed_at: number;
  };
}

declare module '../../db/schema.js' {
  interface Database extends PasswordTables {}
}

/** The password store on the service's database. */
export function passwordStore(db: Db) {
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
    /** The user's hash; undefined for an account without a password. */
    async findHash(userId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('passwords')
        .select('hash')
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return row?.hash;
    },

    /** The same, and nobody changes it until this transaction ends. */
    async lockHash(userId: string): Promise<string | undefined> {
      const query = db.selectFrom('passwords').select('hash').where('user_id', '=', userId);
      return (await locked(query).executeTakeFirst())?.hash;
    },

    /** User and hash by address, in normal form, in one query. */
    async findByEmail(email: string): Promise<{ userId: string; hash: string | null } | undefined> {
      return db
        .selectFrom('users')
        .leftJoin('passwords', 'passwords.user_id', 'users.id')
        .select(['users.id as userId', 'passwords.hash'])
        .where('users.email', '=', email)
        .executeTakeFirst();
    },

    /** Sets the first hash; false if there is one by now. */
    add,

    /** Leaves the account without a password. */
    async remove(userId: string): Promise<void> {
      await db.deleteFrom('passwords').where('user_id', '=', userId).execute();
    },

    /** Sets or replaces the hash. */
    async save(userId: string, hash: string): Promise<void> {
      if (await set(userId, hash)) return;
      // Lost against a parallel first password: ours is the later one.
      if (!(await add(userId, hash))) await set(userId, hash);
    },

    /** Replaces exactly this hash; false if it has changed meanwhile. */
    async replace(userId: string, oldHash: string, hash: string): Promise<boolean> {
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

export type PasswordStore = ReturnType<typeof passwordStore>;
