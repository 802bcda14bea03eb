import { updateOrInsert } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { now } from '../../process/clock.js';

declare module '../../db/schema.js' {
  interface Database {
    phone_numbers: {
      user_id: string;
      /** E.164, verified. Not unique: see `docs/features/sms.md`. */
      phone_number: string;
      /** ms since the epoch. */
      verified_at: number;
    };
  }
}

export function smsStore(db: Db) {
  return {
    /** The user's number, in E.164. */
    async findNumber(userId: string): Promise<string | undefined> {
      const query = db.selectFrom('phone_numbers').select('phone_number');
      return (await query.where('user_id', '=', userId).executeTakeFirst())?.phone_number;
    },

    /** Saves a number that was just verified; it replaces an older one. */
    async saveNumber(userId: string, phoneNumber: string): Promise<void> {
      const row = { user_id: userId, phone_number: phoneNumber, verified_at: now() };
      const update = db.updateTable('phone_numbers').set(row).where('user_id', '=', userId);
      await updateOrInsert(update, db.insertInto('phone_numbers').values(row));
    },

    async removeNumber(userId: string): Promise<void> {
      await db.deleteFrom('phone_numbers').where('user_id', '=', userId).execute();
    },
  };
}
