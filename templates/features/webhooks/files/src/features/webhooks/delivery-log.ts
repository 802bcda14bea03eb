import { contains, readPage } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { now } from '../../process/clock.js';
import type { DeliveryState } from './store.js';

/** Times in ms since the epoch. */
export interface LoggedDelivery {
  id: string;
  webhookId: string;
  event: string;
  state: DeliveryState;
  attempts: number;
  nextAt: number;
  createdAt: number;
}

export interface LoggedAttempt {
  id: string;
  startedAt: number;
  durationMs: number;
  status: number | null;
  response: string | null;
  error: string | null;
}

/** Deliveries and their attempts, for administrators. */
export interface DeliveryLog {
  /** The newest first; `filter` is part of the event's name. */
  list(
    webhookId: string,
    page: { limit: number; offset: number; filter?: string | undefined },
  ): Promise<{ deliveries: LoggedDelivery[]; total: number }>;
  find(
    id: string,
  ): Promise<{ delivery: LoggedDelivery; body: string; attempts: LoggedAttempt[] } | undefined>;
  /** Makes a delivery due again, with the same `webhook-id`; false if there is none. */
  replay(id: string): Promise<boolean>;
  /** Deletes events from before `time` (ms) with their deliveries and attempts. */
  purge(time: number): Promise<void>;
}

export function deliveryLog(db: Db): DeliveryLog {
  const joined = db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', 'webhook_events.id', 'webhook_deliveries.event_id');
  const columns = [
    'webhook_deliveries.id',
    'webhook_deliveries.webhook_id as webhookId',
    'webhook_events.name as event',
    'webhook_deliveries.state',
    'webhook_deliveries.attempts',
    'webhook_deliveries.next_at as nextAt',
    'webhook_deliveries.created_at as createdAt',
  ] as const;

  return {
    async list(webhookId, { limit, offset, filter }) {
      let chosen = joined.where('webhook_deliveries.webhook_id', '=', webhookId);
      if (filter) {
        chosen = chosen.where(({ ref }) => contains(ref('webhook_events.name'), filter));
      }
      const ordered = chosen
        .select(columns)
        .orderBy('webhook_deliveries.created_at', 'desc')
        .orderBy('webhook_deliveries.id');
      const { rows, total } = await readPage(ordered, { limit, offset });
      return { deliveries: rows, total };
    },

    async find(id) {
      const row = await joined
        .select([...columns, 'webhook_events.body'])
        .where('webhook_deliveries.id', '=', id)
        .executeTakeFirst();
      if (!row) return undefined;
      const { body, ...delivery } = row;
      const attempts = await db
        .selectFrom('webhook_attempts')
        .select(['id', 'started_at as startedAt', 'duration_ms as durationMs'])
        .select(['status', 'response', 'error'])
        .where('delivery_id', '=', id)
        .orderBy('started_at')
        .execute();
      return { delivery, body, attempts };
    },

    async replay(id) {
      const { numUpdatedRows } = await db
        .updateTable('webhook_deliveries')
        .set({
          state: 'waiting',
          attempts: 0,
          next_at: now(),
          scheduled_at: now(),
          lease: null,
          leased_until: 0,
        })
        .where('id', '=', id)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async purge(time) {
      await db.deleteFrom('webhook_events').where('created_at', '<', time).execute();
    },
  };
}
