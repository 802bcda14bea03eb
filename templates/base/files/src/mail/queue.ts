import { affectsRow } from '../db/queries.js';
import type { Database, Db } from '../db/schema.js';
import type { Merged } from '../feature.js';
import { now } from '../process/clock.js';
import { orderedId } from '../process/random.js';
import type { ComposeMail } from './compose-mail.js';

declare module '../db/schema.js' {
  /** Times are ms since the epoch. */
  interface Database {
    mails: {
      id: string;
      name: string;
      /** The data that it is composed from, as JSON. */
      data: string;
      attempts: number;
      next_at: number;
      created_at: number;
    };
  }
}

type Mails = Merged<'mails'>;

export type MailName = Extract<keyof Mails, string>;

type DataOf<Name extends MailName> = Mails[Name] extends ComposeMail<infer Data> ? Data : never;

/** A mail that this process may send until its lease ends. `attempts` is a fencing token: every later claim counts on. */
export type ClaimedMail = Database['mails'];

type AddMail = <Name extends MailName>(name: Name, data: DataOf<Name>) => Promise<void>;

/**
 * The queue of mails to send. A row holds the recipient and what the mail is about, but no link: tokens are made
 * when the mail is sent, so reading the table or a backup of it gives access to no account.
 */
export function mailQueue(db: Db) {
  /** The row as it was when it was read: of two parallel claims exactly one changes it. */
  const unchanged = ({ id, attempts }: ClaimedMail) =>
    db.updateTable('mails').where('id', '=', id).where('attempts', '=', attempts);

  /** Queues a mail; called in the transaction of the change that it reports. */
  const add: AddMail = async (name, data) => {
    const time = now();
    const mail = { id: orderedId(), name, data: JSON.stringify(data) };
    const row = { ...mail, attempts: 0, next_at: time, created_at: time };
    await db.insertInto('mails').values(row).execute();
  };

  return {
    add,

    /** Leases mails that are due, the longest waiting first. An expired lease makes a mail due again. */
    async claim(most: number, leaseMs: number): Promise<ClaimedMail[]> {
      const due = db.selectFrom('mails').selectAll().where('next_at', '<=', now());
      const claimed: ClaimedMail[] = [];
      for (const row of await due.orderBy('next_at').limit(most).execute()) {
        const attempts = row.attempts + 1;
        const lease = unchanged(row).set({ attempts, next_at: now() + leaseMs });
        if (await affectsRow(lease)) claimed.push({ ...row, attempts });
      }
      return claimed;
    },

    /** Schedules a claimed mail to be sent again at `time`, unless it has been claimed since. */
    async retryAt(mail: ClaimedMail, time: number): Promise<void> {
      await unchanged(mail).set({ next_at: time }).execute();
    },

    async remove({ id }: ClaimedMail): Promise<void> {
      await db.deleteFrom('mails').where('id', '=', id).execute();
    },
  };
}
