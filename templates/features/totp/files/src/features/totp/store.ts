import type { Db } from '../../db/schema.js';
import { insertUnlessTaken, locked } from '../../db/sql.js';

interface TotpTables {
  totp_secrets: {
    user_id: string;
    /** Sealed; null until the first set-up is confirmed. */
    secret: string | null;
    /** Sealed; the secret of a set-up that is not confirmed yet. */
    pending_secret: string | null;
    /** The latest time step whose code was used (RFC 6238 §5.2). */
    last_step: number;
  };
  recovery_codes: {
    user_id: string;
    code_hash: string;
  };
}

declare module '../../db/schema.js' {
  interface Database extends TotpTables {}
}

export interface TotpStore {
  /** The sealed secret in use; undefined without one. */
  findSecret(userId: string): Promise<string | undefined>;
  findPendingSecret(userId: string): Promise<string | undefined>;
  /** Stores a sealed secret until it is confirmed; one in use stays in use until then. */
  savePendingSecret(userId: string, sealed: string): Promise<void>;
  /** Puts the pending secret in use and records the used `step`; false if it is no longer pending. */
  confirm(userId: string, pending: string, step: number): Promise<boolean>;
  /** Records that the code of `step` was used; false if it, or a later one, was used already. */
  useStep(userId: string, step: number): Promise<boolean>;
  /** In a transaction: replaces the hashes of the recovery codes. */
  replaceRecoveryCodes(userId: string, hashes: string[]): Promise<void>;
  /** Consumes a recovery code; false if it is unknown or used. */
  useRecoveryCode(userId: string, hash: string): Promise<boolean>;
  countRecoveryCodes(userId: string): Promise<number>;
  /** Removes the authenticator app and the recovery codes. */
  remove(userId: string): Promise<void>;
}

/** Authenticator apps and recovery codes in the service's database. */
export function totpStore(db: Db): TotpStore {
  const ofUser = (userId: string) => db.updateTable('totp_secrets').where('user_id', '=', userId);
  const find = async (userId: string) =>
    db.selectFrom('totp_secrets').selectAll().where('user_id', '=', userId).executeTakeFirst();

  return {
    async findSecret(userId) {
      return (await find(userId))?.secret ?? undefined;
    },

    async findPendingSecret(userId) {
      return (await find(userId))?.pending_secret ?? undefined;
    },

    async savePendingSecret(userId, sealed) {
      const set = () => ofUser(userId).set({ pending_secret: sealed }).executeTakeFirst();
      if ((await set()).numUpdatedRows > 0n) return;
      const row = { user_id: userId, secret: null, pending_secret: sealed, last_step: 0 };
      if (!(await insertUnlessTaken(db.insertInto('totp_secrets').values(row)))) await set();
    },

    async confirm(userId, pending, step) {
      const { numUpdatedRows } = await ofUser(userId)
        .where('pending_secret', '=', pending)
        .set({ secret: pending, pending_secret: null, last_step: step })
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async useStep(userId, step) {
      const { numUpdatedRows } = await ofUser(userId)
        .where('last_step', '<', step)
        .set({ last_step: step })
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async replaceRecoveryCodes(userId, hashes) {
      // Locked, so that of two parallel calls the later one deletes the codes of the earlier one.
      const ofUser = db.selectFrom('totp_secrets').where('user_id', '=', userId);
      await locked(ofUser.select('user_id')).execute();
      await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
      await db
        .insertInto('recovery_codes')
        .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
        .execute();
    },

    async useRecoveryCode(userId, hash) {
      const { numDeletedRows } = await db
        .deleteFrom('recovery_codes')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async countRecoveryCodes(userId) {
      const rows = await db
        .selectFrom('recovery_codes')
        .select('code_hash')
        .where('user_id', '=', userId)
        .execute();
      return rows.length;
    },

    async remove(userId) {
      await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
      await db.deleteFrom('totp_secrets').where('user_id', '=', userId).execute();
    },
  };
}
