import { contains, type Page, readPage } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { now } from '../../process/clock.js';
import { UNCLAIMED } from './claim.js';

/** A delivery as administrators see it. Times in ms since the epoch. */
export type LoggedDelivery = Awaited<
  ReturnType<ReturnType<typeof deliveryLog>['list']>
>['deliveries'][number];

/** Deliveries and their attempts, for administrators. */
export function deliveryLog(db: Db) {
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
    /** The newest first; `filter` is part of the event's name. */
    async list(webhookId: string, { filter, ...page }: Page & { filter?: string | undefined }) {
      let chosen = joined.where('webhook_deliveries.webhook_id', '=', webhookId);
      if (filter) {
        chosen = chosen.where(({ ref }) => contains(ref('webhook_events.name'), filter));
      }
      const ordered = chosen
        .select(columns)
        .orderBy('webhook_deliveries.created_at', 'desc')
        .orderBy('webhook_deliveries.id');
      const { rows, total } = await readPage(ordered, page);
      return { deliveries: rows, total };
    },

    async find(id: string) {
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

    /** Makes a delivery due again, with the same `webhook-id`; false if there is none. */
    async replay(id: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('webhook_deliveries')
        .set({ state: 'waiting', attempts: 0, next_at: now(), scheduled_at: now(), ...UNCLAIMED })
        .where('id', '=', id)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Deletes events from before `time` (ms) with their deliveries and attempts. */
    async purge(time: number) {
      await db.deleteFrom('webhook_events').where('created_at', '<', time).execute();
    },
  };
}
