import { now } from '../../clock.js';
import { insertUnlessTaken } from '../../db/insert.js';
import type { Db } from '../../db/schema.js';

export interface PhoneStore {
  /** The verified number, in E.164. */
  findVerified(userId: string): Promise<string | undefined>;
  findPending(userId: string): Promise<string | undefined>;
  /** Keeps a number for verification; a verified one stays in use until then. */
  savePending(userId: string, phoneNumber: string): Promise<void>;
  /** Puts the pending number in use; false if it is not pending any more. */
  confirm(userId: string, phoneNumber: string): Promise<boolean>;
  remove(userId: string): Promise<void>;
}

/** The store of phone numbers on the service's database. */
export function phoneStore(db: Db): PhoneStore {
  const ofUser = (userId: string) => db.updateTable('phone_numbers').where('user_id', '=', userId);
  const find = async (userId: string) =>
    db.selectFrom('phone_numbers').selectAll().where('user_id', '=', userId).executeTakeFirst();

  return {
    async findVerified(userId) {
      return (await find(userId))?.phone_number ?? undefined;
    },

    async findPending(userId) {
      return (await find(userId))?.pending_number ?? undefined;
    },

    async savePending(userId, phoneNumber) {
      const set = () => ofUser(userId).set({ pending_number: phoneNumber }).executeTakeFirst();
      if ((await set()).numUpdatedRows > 0n) return;
      const row = {
        user_id: userId,
        phone_number: null,
        pending_number: phoneNumber,
        verified_at: null,
      };
      if (!(await insertUnlessTaken(db.insertInto('phone_numbers').values(row)))) await set();
    },

    async confirm(userId, phoneNumber) {
      const { numUpdatedRows } = await ofUser(userId)
        .where('pending_number', '=', phoneNumber)
        .set({ phone_number: phoneNumber, pending_number: null, verified_at: now() })
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async remove(userId) {
      await db.deleteFrom('phone_numbers').where('user_id', '=', userId).execute();
    },
  };
}
