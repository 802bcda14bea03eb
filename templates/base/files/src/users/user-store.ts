import { isUniqueViolation } from '../db/errors.js';
import { affectsRow, compileOnce } from '../db/queries.js';
import type { Db } from '../db/schema.js';
import { insertUnlessTaken, locked } from '../db/sql.js';
import { now } from '../process/clock.js';
import { randomId } from '../process/random.js';
import { type Account, accountOf, accountRow } from './account.js';
import { type NewUser, normalizeEmail, type User, userOf } from './user.js';

const selectAccount = compileOnce((db, { id }: { id: string }) =>
  accountRow(db).where('users.id', '=', id),
);

/** The user store; replace this one implementation to keep users elsewhere. */
export function userStore(db: Db) {
  const all = db.selectFrom('users').selectAll();
  const update = (id: string) => db.updateTable('users').where('id', '=', id);

  return {
    async findById(id: string): Promise<User | undefined> {
      const row = await all.where('id', '=', id).executeTakeFirst();
      return row && userOf(row);
    },

    async findByEmail(email: string): Promise<User | undefined> {
      const row = await all.where('email', '=', normalizeEmail(email)).executeTakeFirst();
      return row && userOf(row);
    },

    /** In a transaction: the user, locked against changes by others until the transaction ends. */
    async lock(id: string): Promise<User | undefined> {
      const row = await locked(all.where('id', '=', id)).executeTakeFirst();
      return row && userOf(row);
    },

    async findAccount(id: string): Promise<Account | undefined> {
      const { rows } = await selectAccount(db, { id });
      return rows[0] && accountOf(rows[0]);
    },

    /** Undefined if the address is taken: the database decides, so two parallel calls cannot both win. */
    async create(user: NewUser): Promise<User | undefined> {
      const time = now();
      const provenAt = user.isEmailProven ? time : null;
      const row = {
        id: randomId(),
        email: normalizeEmail(user.email),
        email_verified_at: provenAt,
        email_proven_at: provenAt,
        login_provider: user.loginProvider,
        metadata: JSON.stringify(user.metadata ?? {}),
        disabled_at: null,
        created_at: time,
      };
      const isNew = await insertUnlessTaken(db.insertInto('users').values(row));
      return isNew ? userOf(row) : undefined;
    },

    /** False if it was already verified. */
    async markEmailVerified(id: string): Promise<boolean> {
      const unverified = update(id).where('email_verified_at', 'is', null);
      return affectsRow(unverified.set({ email_verified_at: now() }));
    },

    /** False if it was proven already: of two parallel proofs exactly one is the first. */
    async markEmailProven(id: string): Promise<boolean> {
      const unproven = update(id).where('email_proven_at', 'is', null);
      return affectsRow(unproven.set({ email_proven_at: now() }));
    },

    /** Replaces the address, which then counts as verified. False if it is taken: that may abort the transaction. */
    async changeEmail(id: string, email: string): Promise<boolean> {
      const moved = { email: normalizeEmail(email), email_verified_at: now() };
      try {
        return await affectsRow(update(id).set(moved));
      } catch (error) {
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },

    /** Deletes the user and, by the database's cascade, all that belongs to them. */
    async delete(id: string): Promise<void> {
      await db.deleteFrom('users').where('id', '=', id).execute();
    },

    /** Disables a user as of `time` (ms), or enables them with null; false if that changes nothing. */
    async setDisabled(id: string, time: number | null): Promise<boolean> {
      const other = update(id).where('disabled_at', time === null ? 'is not' : 'is', null);
      return affectsRow(other.set({ disabled_at: time }));
    },

    async updateMetadata(id: string, metadata: Record<string, unknown>): Promise<void> {
      const text = JSON.stringify(metadata);
      await update(id).set({ metadata: text }).execute();
    },

    /** A page of the users with their roles, the oldest first. */
    async list({ limit, offset }: { limit: number; offset: number }) {
      const oldestFirst = accountRow(db).orderBy('users.created_at').orderBy('users.id');
      // `accountRow` asks for one row; the page's limit replaces that.
      return (await oldestFirst.limit(limit).offset(offset).execute()).map(accountOf);
    },
  };
}
