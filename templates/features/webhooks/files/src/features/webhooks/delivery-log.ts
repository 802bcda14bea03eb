import { sql } from 'kysely';
import { contains, type Page, readPage } from '../../db/pages.js';
import { deletePages } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { now } from '../../process/clock.js';
import { UNCLAIMED } from './claim.js';

/** A delivery as administrators see it. Times in ms since the epoch. */
export type LoggedDelivery = Awaited<
  ReturnType<ReturnType<typeof deliveryLog>['list']>
>['items'][number];

/** Deliveries and their attempts, for administrators. */
export function deliveryLog(db: Db) {
  const logged = db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', 'webhook_events.id', 'event_id')
    .select(['webhook_deliveries.id', 'webhook_id as webhookId', 'name as event', 'state'])
    .select(['next_at as nextAt', 'webhook_deliveries.created_at as createdAt'])
    // All of them: a replay counts its retries anew, and a held request counts as none.
    .select(({ fn, selectFrom }) =>
      selectFrom('webhook_attempts')
        .select(fn.countAll<number>().as('count'))
        .whereRef('delivery_id', '=', 'webhook_deliveries.id')
        .$asScalar()
        .$notNull()
        .as('attempts'),
    );

  return {
    /** The newest first; `filter` is a part of the event's name. */
    async list(webhookId: string, { filter, ...page }: Page & { filter?: string | undefined }) {
      let chosen = logged.where('webhook_id', '=', webhookId);
      if (filter) chosen = chosen.where(({ ref }) => contains(ref('webhook_events.name'), filter));
      const order = ['webhook_deliveries.created_at', 'webhook_deliveries.id'] as const;
      const { rows: items, rest } = await readPage(chosen, page, order);
      return { items, rest };
    },

    async find(id: string) {
      const selected = logged.select('body').where('webhook_deliveries.id', '=', id);
      const row = await selected.executeTakeFirst();
      if (!row) return undefined;
      const { body, ...delivery } = row;
      const attempts = db
        .selectFrom('webhook_attempts')
        .select(['id', 'started_at as startedAt', 'duration_ms as durationMs'])
        .select(['status', 'response', 'error'])
        .where('delivery_id', '=', id);
      return { delivery, body, attempts: await attempts.orderBy('started_at').execute() };
    },

    /** By webhook, how many are being retried, or were given up after `time` (ms). */
    countFailing(time: number) {
      // Through the webhooks, which are few: the index serves. Some planners keep the order of a cross join only.
      return db
        .selectFrom('webhook_configs as configs')
        .crossJoin('webhook_deliveries')
        .whereRef('webhook_id', '=', 'configs.id')
        .where('state', 'in', ['retrying', 'exhausted', 'failed'])
        .where('next_at', '>=', time)
        .groupBy(['configs.id', 'url'])
        .select(['configs.id', 'url'])
        .select(({ fn }) => fn.countAll<number>().as('failing'))
        .execute();
    },

    /** Makes a delivery due again, with the same `webhook-id`. */
    async replay(id: string) {
      const anew = { state: 'waiting', attempts: 0, next_at: now() } as const;
      const delivery = db.updateTable('webhook_deliveries').where('id', '=', id);
      await delivery.set({ ...anew, ...UNCLAIMED }).execute();
    },

    /** Deletes events older than `time` (ms), with their deliveries and attempts. */
    purge: (time: number) => deletePages(db, 'webhook_events', sql`created_at < ${time}`),
  };
}
