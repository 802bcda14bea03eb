import { contains } from '../../db/contains.js';
import type { Db } from '../../db/schema.js';
import type { DeliveryState } from './table.js';

/** A delivery as administrators see it. Times in ms. */
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

/** What endpoints were told, to look things up. */
export interface DeliveryLog {
  /** The newest first; `filter` is part of the event's name. */
  list(
    webhookId: string,
    page: { limit: number; offset: number; filter?: string | undefined },
  ): Promise<{ deliveries: LoggedDelivery[]; total: number }>;
  find(
    id: string,
  ): Promise<{ delivery: LoggedDelivery; body: string; attempts: LoggedAttempt[] } | undefined>;
}

/** The log on the service's database. */
export function deliveryLog(db: Db): DeliveryLog {
  const joined = () =>
    db
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
      let chosen = joined().where('webhook_deliveries.webhook_id', '=', webhookId);
      if (filter) {
        chosen = chosen.where(({ ref }) => contains(ref('webhook_events.name'), filter));
      }
      const deliveries = await chosen
        .select(columns)
        .orderBy('webhook_deliveries.created_at', 'desc')
        .orderBy('webhook_deliveries.id')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await chosen
        .select((of) => of.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { deliveries, total: Number(total) };
    },

    async find(id) {
      const row = await joined()
        .select([...columns, 'webhook_events.body'])
        .where('webhook_deliveries.id', '=', id)
        .executeTakeFirst();
      if (!row) return undefined;
      const attempts = await db
        .selectFrom('webhook_attempts')
        .select([
          'id',
          'started_at as startedAt',
          'duration_ms as durationMs',
          'status',
          'response',
          'error',
        ])
        .where('delivery_id', '=', id)
        .orderBy('started_at')
        .execute();
      const { body, ...delivery } = row;
      return { delivery, body, attempts };
    },
  };
}
