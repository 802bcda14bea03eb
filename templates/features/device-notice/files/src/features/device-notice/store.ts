import type { Db } from '../../db/schema.js';
import { insertUnlessTaken } from '../../db/sql.js';
import { now } from '../../process/clock.js';

declare module '../../db/schema.js' {
  interface Database {
    known_devices: {
      user_id: string;
      device_hash: string;
      first_seen_at: number;
    };
  }
}

export function deviceNoticeStore(db: Db) {
  return {
    /** Remembers a device; returns whether it is the account's first, another new one, or known. */
    async remember(userId: string, deviceHash: string): Promise<'first' | 'new' | 'known'> {
      const before = await db
        .selectFrom('known_devices')
        .select('device_hash')
        .where('user_id', '=', userId)
        .execute();
      if (before.some((row) => row.device_hash === deviceHash)) return 'known';
      const row = { user_id: userId, device_hash: deviceHash, first_seen_at: now() };
      // Two sign-ins at once: the other one notifies the owner.
      if (!(await insertUnlessTaken(db.insertInto('known_devices').values(row)))) return 'known';
      return before.length === 0 ? 'first' : 'new';
    },
  };
}
