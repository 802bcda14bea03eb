import { now } from '../../clock.js';
import { insertUnlessTaken } from '../../db/insert.js';
import type { Db } from '../../db/schema.js';
import { FAILURES_TO_PAUSE } from './claim.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** How an endpoint has been doing. */
export interface HealthStore {
  /** The endpoints answer: nothing that was is held against them. */
  recover(webhookIds: string[]): Promise<void>;
  /**
   * Counts failures in a row; from the fifth on the endpoint pauses, twice as long each time. What it was
   * not told yet waits meanwhile, without losing tries; retries keep their times.
   */
  fail(webhookId: string, failures: number): Promise<void>;
  /** Notes that a delivery was given up; since when (ms) that has been so without a success. */
  exhaust(webhookId: string): Promise<number>;
}

/** Health on the service's database. */
export function healthStore(db: Db): HealthStore {
  const of = (webhookId: string) =>
    db.updateTable('webhook_health').where('webhook_id', '=', webhookId);

  async function read(webhookId: string) {
    const blank = { webhook_id: webhookId, failures: 0, paused_until: 0, exhausted_since: null };
    const select = () =>
      db.selectFrom('webhook_health').selectAll().where('webhook_id', '=', webhookId);
    const row = await select().executeTakeFirst();
    if (row) return row;
    await insertUnlessTaken(db.insertInto('webhook_health').values(blank));
    return (await select().executeTakeFirst()) ?? blank;
  }

  return {
    async recover(webhookIds) {
      await db
        .updateTable('webhook_health')
        .set({ failures: 0, paused_until: 0, exhausted_since: null })
        .where('webhook_id', 'in', webhookIds)
        .where('failures', '>', 0)
        .execute();
    },

    async fail(webhookId, failures) {
      const row = await read(webhookId);
      const total = row.failures + failures;
      const doublings = Math.min(20, total - FAILURES_TO_PAUSE);
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** doublings);
      const pausedUntil = total < FAILURES_TO_PAUSE ? 0 : now() + pause;
      await of(webhookId).set({ failures: total, paused_until: pausedUntil }).execute();
    },

    async exhaust(webhookId) {
      const { exhausted_since: since } = await read(webhookId);
      if (since !== null) return since;
      await of(webhookId).set({ exhausted_since: now() }).execute();
      return now();
    },
  };
}
