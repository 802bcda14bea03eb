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

/** The password store on the service's database. */
export function passwordStore(db: Db) {
  const hashes = (userId: string) =>
    db.selectFrom('passwords').select('hash').where('user_id', '=', userId);
  const update = (userId: string) => db.updateTable('passwords').where('user_id', '=', userId);

  /** Sets the first hash; false if there is one by now. */
  async function add(userId: string, hash: string): Promise<boolean> {
    return insertUnlessTaken(db.insertInto('passwords').values({ user_id: userId, hash }));
  }

  return {
    /** The user's hash; undefined for an account without a password. */
    async findHash(userId: string): Promise<string | undefined> {
      return (await hashes(userId).executeTakeFirst())?.hash;
    },

    /** The same, and nobody changes it until this transaction ends. */
    async lockHash(userId: string): Promise<string | undefined> {
      return (await locked(hashes(userId)).executeTakeFirst())?.hash;
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

    add,

    /** Leaves the account without a password; false if it has none. */
    async remove(userId: string): Promise<boolean> {
      const ofUser = db.deleteFrom('passwords').where('user_id', '=', userId);
      return (await ofUser.executeTakeFirst()).numDeletedRows === 1n;
    },

    /** Sets or replaces the hash. */
    async save(userId: string, hash: string): Promise<void> {
      const set = () => update(userId).set({ hash }).executeTakeFirst();
      if ((await set()).numUpdatedRows > 0n) return;
      // Lost against a parallel first password: ours is the later one.
      if (!(await add(userId, hash))) await set();
    },

    /** Replaces exactly this hash; false if it has changed meanwhile. */
    async replace(userId: string, oldHash: string, hash: string): Promise<boolean> {
      const known = update(userId).where('hash', '=', oldHash);
      return (await known.set({ hash }).executeTakeFirst()).numUpdatedRows === 1n;
    },
  };
}
