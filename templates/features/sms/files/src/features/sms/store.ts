import type { Db } from '../../db/schema.js';
import { insertUnlessTaken } from '../../db/sql.js';
import { now } from '../../process/clock.js';

/** Times are ms since the epoch. */
interface SmsTables {
  phone_numbers: {
    user_id: string;
    /** E.164, verified; null until a first number is. Not unique: see `docs/features/sms.md`. */
    phone_number: string | null;
    /** E.164, not verified yet. */
    pending_number: string | null;
    verified_at: number | null;
  };
  sms_codes: {
    user_id: string;
    /** Such as `login`; there is one code for each purpose. */
    purpose: string;
    code_hash: string;
    attempts: number;
    expires_at: number;
  };
}

declare module '../../db/schema.js' {
  interface Database extends SmsTables {}
}

export interface SmsStore {
  /** The verified number, in E.164. */
  findNumber(userId: string): Promise<string | undefined>;
  findPendingNumber(userId: string): Promise<string | undefined>;
  /** Keeps a number for verification; a verified one stays in use until then. */
  savePendingNumber(userId: string, phoneNumber: string): Promise<void>;
  /** Puts the pending number in use; false if it is no longer pending. */
  confirmNumber(userId: string, phoneNumber: string): Promise<boolean>;
  /** Stores the hash of a code until `expiresAt` (ms); it replaces an older code for the same purpose. */
  saveCode(userId: string, purpose: string, codeHash: string, expiresAt: number): Promise<void>;
  /** Counts one of `limit` attempts at a valid code; false if none is left. Parallel guesses cannot share one. */
  takeAttempt(userId: string, purpose: string, limit: number): Promise<boolean>;
  /** Consumes a code; false if the hash is another one or the code is used. */
  consumeCode(userId: string, purpose: string, codeHash: string): Promise<boolean>;
  /** In a transaction: removes the user's numbers and codes. */
  remove(userId: string): Promise<void>;
}

/** Phone numbers and codes in the service's database. */
export function smsStore(db: Db): SmsStore {
  const findRow = (userId: string) =>
    db.selectFrom('phone_numbers').selectAll().where('user_id', '=', userId).executeTakeFirst();
  const numberOf = (userId: string) =>
    db.updateTable('phone_numbers').where('user_id', '=', userId);
  const codeOf = (userId: string, purpose: string) =>
    db.updateTable('sms_codes').where('user_id', '=', userId).where('purpose', '=', purpose);

  return {
    async findNumber(userId) {
      return (await findRow(userId))?.phone_number ?? undefined;
    },

    async findPendingNumber(userId) {
      return (await findRow(userId))?.pending_number ?? undefined;
    },

    async savePendingNumber(userId, phoneNumber) {
      const pending = { pending_number: phoneNumber };
      const replace = () => numberOf(userId).set(pending).executeTakeFirst();
      if ((await replace()).numUpdatedRows > 0n) return;
      const row = { user_id: userId, phone_number: null, verified_at: null, ...pending };
      if (!(await insertUnlessTaken(db.insertInto('phone_numbers').values(row)))) await replace();
    },

    async confirmNumber(userId, phoneNumber) {
      const { numUpdatedRows } = await numberOf(userId)
        .where('pending_number', '=', phoneNumber)
        .set({ phone_number: phoneNumber, pending_number: null, verified_at: now() })
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async saveCode(userId, purpose, codeHash, expiresAt) {
      await db.deleteFrom('sms_codes').where('expires_at', '<=', now()).execute();
      const code = { code_hash: codeHash, attempts: 0, expires_at: expiresAt };
      const replace = () => codeOf(userId, purpose).set(code).executeTakeFirst();
      if ((await replace()).numUpdatedRows > 0n) return;
      const row = { user_id: userId, purpose, ...code };
      if (!(await insertUnlessTaken(db.insertInto('sms_codes').values(row)))) await replace();
    },

    async takeAttempt(userId, purpose, limit) {
      const { numUpdatedRows } = await codeOf(userId, purpose)
        .set((column) => ({ attempts: column('attempts', '+', 1) }))
        .where('attempts', '<', limit)
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async consumeCode(userId, purpose, codeHash) {
      const { numDeletedRows } = await db
        .deleteFrom('sms_codes')
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .where('code_hash', '=', codeHash)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async remove(userId) {
      await db.deleteFrom('phone_numbers').where('user_id', '=', userId).execute();
      await db.deleteFrom('sms_codes').where('user_id', '=', userId).execute();
    },
  };
}
