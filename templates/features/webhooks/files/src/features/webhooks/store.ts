import type { Db } from '../../db/schema.js';
import { now } from '../../process/clock.js';
import { deliveryLog } from './delivery-log.js';
import { deliveryQueue } from './queue.js';

/** After this many failures in a row an endpoint is paused: it gets no new deliveries for a while. */
export const FAILURES_TO_PAUSE = 5;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * `waiting`: not tried yet. `retrying`: tried before. `exhausted`: given up after `maxRetries`.
 * `failed`: given up at once, since the receiver is gone.
 */
export type DeliveryState = 'waiting' | 'retrying' | 'delivered' | 'exhausted' | 'failed';

declare module '../../db/schema.js' {
  /** Times are ms since the epoch. */
  interface Database {
    webhook_events: {
      id: string;
      name: string;
      /** The user whom it is about: deleting them removes their data from `body`. */
      user_id: string | null;
      /** The JSON text that is signed and sent, stored once for all endpoints. */
      body: string;
      created_at: number;
    };
    webhook_deliveries: {
      id: string;
      event_id: string;
      webhook_id: string;
      state: DeliveryState;
      /** Completed attempts. */
      attempts: number;
      next_at: number;
      /** A new random id for each claim. */
      lease: string | null;
      leased_until: number;
      created_at: number;
    };
    webhook_attempts: {
      /** Also `X-Webhook-Delivery`. */
      id: string;
      delivery_id: string;
      started_at: number;
      duration_ms: number;
      /** Null without a response. */
      status: number | null;
      /** The first 1 kB of the response. */
      response: string | null;
      error: string | null;
    };
  }
}

export function webhooksStore(db: Db) {
  return {
    queue: deliveryQueue(db),
    log: deliveryLog(db),

    /** Forgets the failures of endpoints that answer. */
    async clearFailures(webhookIds: string[]) {
      const failing = db.updateTable('webhook_configs').where('failures', '>', 0);
      const healthy = { failures: 0, paused_until: 0, exhausted_since: null };
      await failing.where('id', 'in', webhookIds).set(healthy).execute();
    },

    /**
     * Counts consecutive failures; from the fifth on the endpoint is paused, twice as long each time.
     * Returns since when (ms) its deliveries have been given up without a success; null if none was, or it is deleted.
     */
    async addFailures(webhookId: string, count: number, isExhausted: boolean) {
      const endpoint = db.updateTable('webhook_configs').where('id', '=', webhookId);
      // First: this locks the row. A select that locks it would also wait for each event that is being sent to it.
      await endpoint.set((row) => ({ failures: row('failures', '+', count) })).execute();
      const stored = db.selectFrom('webhook_configs').where('id', '=', webhookId);
      const health = await stored.select(['failures', 'exhausted_since']).executeTakeFirst();
      if (!health) return null;
      const doublings = health.failures - FAILURES_TO_PAUSE;
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** doublings);
      const since = health.exhausted_since ?? (isExhausted ? now() : null);
      const paused_until = doublings < 0 ? 0 : now() + pause;
      await endpoint.set({ ...health, paused_until, exhausted_since: since }).execute();
      return since;
    },
  };
}
