import { affectsRow, updateOrInsert } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';

declare module '../../db/schema.js' {
  interface Database {
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
}

export function totpStore(db: Db) {
  const ofUser = (userId: string) => db.updateTable('totp_secrets').where('user_id', '=', userId);

  async function deleteCodes(userId: string): Promise<void> {
    await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  }

  return {
    /** The sealed secrets, in use and pending; undefined without either. */
    async find(userId: string) {
      return db
        .selectFrom('totp_secrets')
        .select(['secret', 'pending_secret as pending'])
        .where('user_id', '=', userId)
        .executeTakeFirst();
    },

    /** Stores a sealed secret until it is confirmed; one in use stays in use until then. */
    async savePendingSecret(userId: string, sealed: string): Promise<void> {
      const row = { user_id: userId, secret: null, pending_secret: sealed, last_step: 0 };
      const update = ofUser(userId).set({ pending_secret: sealed });
      await updateOrInsert(update, db.insertInto('totp_secrets').values(row));
    },

    /** Puts the `secret` in use for the pending one and records the used `step`; false if that is no longer pending. */
    async confirm(userId: string, pending: string, secret: string, step: number) {
      const waiting = ofUser(userId).where('pending_secret', '=', pending);
      return affectsRow(waiting.set({ secret, pending_secret: null, last_step: step }));
    },

    /** Records that the code of `step` was used; false if it, or a later one, was already used. */
    async useStep(userId: string, step: number): Promise<boolean> {
      const earlier = ofUser(userId).where('last_step', '<', step);
      return affectsRow(earlier.set({ last_step: step }));
    },

    /** Replaces the hashes of the recovery codes, in a transaction that has locked the user. */
    async replaceRecoveryCodes(userId: string, hashes: string[]): Promise<void> {
      await deleteCodes(userId);
      const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }));
      await db.insertInto('recovery_codes').values(rows).execute();
    },

    /** Consumes a recovery code; false if it is unknown or used. */
    async useRecoveryCode(userId: string, hash: string): Promise<boolean> {
      const code = db.deleteFrom('recovery_codes').where('user_id', '=', userId);
      return affectsRow(code.where('code_hash', '=', hash));
    },

    async countRecoveryCodes(userId: string): Promise<number> {
      const codes = db.selectFrom('recovery_codes').select('code_hash');
      return (await codes.where('user_id', '=', userId).execute()).length;
    },

    /** Removes the authenticator app and the recovery codes; false if no app was in use. */
    async remove(userId: string): Promise<boolean> {
      await deleteCodes(userId);
      const secrets = db.deleteFrom('totp_secrets').where('user_id', '=', userId);
      const wasInUse = await affectsRow(secrets.where('secret', 'is not', null));
      await secrets.execute();
      return wasInUse;
    },
  };
}
