import { now } from '../clock.js';
import { compileOnce } from '../db/compile-once.js';
import { contains } from '../db/contains.js';
import { isUniqueViolation } from '../db/errors.js';
import { insertUnlessTaken } from '../db/insert.js';
import { locked } from '../db/locks.js';
import type { Db } from '../db/schema.js';
import { randomId } from '../random.js';
import type { Account } from '../session/caller.js';
import { accountOf, accountRow } from './account-query.js';
import { normalizeEmail } from './email.js';
import { type User, userOf } from './user.js';

export interface NewUser {
  email: string;
  loginProvider: string;
  metadata?: Record<string, unknown>;
  emailVerifiedAt?: number | null;
}

/** The user store of the specification; replace this one implementation to keep users elsewhere. */
export interface UserStore {
  findById(id: string): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  /** Within a transaction: the user, whom nobody else changes until its end. */
  lock(id: string): Promise<User | undefined>;
  /** The user with roles, read together. */
  findAccount(id: string): Promise<Account | undefined>;
  /** Undefined if the address is taken: the database decides, so two parallel calls cannot both win. */
  create(user: NewUser): Promise<User | undefined>;
  /** False if it was verified already. */
  markEmailVerified(id: string): Promise<boolean>;
  /** Replaces the address, which counts as verified; false if it is taken, and a transaction is lost. */
  changeEmail(id: string, email: string): Promise<boolean>;
  /** Deletes the user and, by the database's cascade, all that belongs to them; false if there is none. */
  delete(id: string): Promise<boolean>;
  /** Disables a user as of `time` (ms), or enables them with null; false if that is how they were. */
  setDisabled(id: string, time: number | null): Promise<boolean>;
  updateMetadata(id: string, metadata: Record<string, unknown>): Promise<void>;
  /** The oldest first; `filter` is part of the address. */
  list(page: { limit: number; offset: number; filter?: string | undefined }): Promise<User[]>;
}

const selectAccount = compileOnce((db, id: string) => accountRow(db).where('users.id', '=', id));

/** The user store on the service's database. */
export function userStore(db: Db): UserStore {
  return {
    async findById(id) {
      const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
      return row && userOf(row);
    },

    async findByEmail(email) {
      const row = await db
        .selectFrom('users')
        .selectAll()
        .where('email', '=', normalizeEmail(email))
        .executeTakeFirst();
      return row && userOf(row);
    },

    async lock(id) {
      const query = db.selectFrom('users').selectAll().where('id', '=', id);
      const row = await locked(query).executeTakeFirst();
      return row && userOf(row);
    },

    async findAccount(id) {
      const { rows } = await selectAccount(db, id);
      return rows[0] && accountOf(rows[0]);
    },

    async create(user) {
      const row = {
        id: randomId(),
        email: normalizeEmail(user.email),
        email_verified_at: user.emailVerifiedAt ?? null,
        login_provider: user.loginProvider,
        metadata: JSON.stringify(user.metadata ?? {}),
        disabled_at: null,
        created_at: now(),
        updated_at: now(),
      };
      const isNew = await insertUnlessTaken(db.insertInto('users').values(row));
      return isNew ? userOf(row) : undefined;
    },

    async markEmailVerified(id) {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({ email_verified_at: now(), updated_at: now() })
        .where('id', '=', id)
        .where('email_verified_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async changeEmail(id, email) {
      try {
        await db
          .updateTable('users')
          .set({ email: normalizeEmail(email), email_verified_at: now(), updated_at: now() })
          .where('id', '=', id)
          .execute();
        return true;
      } catch (error) {
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },

    async delete(id) {
      const { numDeletedRows } = await db
        .deleteFrom('users')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async setDisabled(id, time) {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({ disabled_at: time, updated_at: now() })
        .where('id', '=', id)
        .where('disabled_at', time === null ? 'is not' : 'is', null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async updateMetadata(id, metadata) {
      await db
        .updateTable('users')
        .set({ metadata: JSON.stringify(metadata), updated_at: now() })
        .where('id', '=', id)
        .execute();
    },

    async list({ limit, offset, filter }) {
      let chosen = db.selectFrom('users');
      if (filter) chosen = chosen.where(({ ref }) => contains(ref('email'), filter));
      const rows = await chosen
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map(userOf);
    },
  };
}
