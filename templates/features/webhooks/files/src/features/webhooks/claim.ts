import { type ExpressionBuilder, sql } from 'kysely';
import type { Database, Db } from '../../db/schema.js';
import { now } from '../../process/clock.js';
import { randomId } from '../../process/random.js';

/** Longer than a request may take. */
const LEASE_MS = 25_000;

/** The columns of a delivery that nobody holds. */
export const UNCLAIMED = { lease: null, leased_until: 0 };

/** The states that are not final. */
type OpenState = 'retrying' | 'waiting';

/** An endpoint with deliveries due in one of these states, and its consecutive failures so far. */
export type DueEndpoint = Awaited<ReturnType<typeof findDue>>[number];

/** A delivery that this process may send until `leasedUntil` (ms), as its endpoint was when it was claimed. */
export type ClaimedDelivery = Awaited<ReturnType<typeof leased>>[number] & {
  /** A fencing token: once another process has claimed the delivery, this lease changes nothing. */
  lease: string;
  leasedUntil: number;
};

/** Finds the active endpoints that have something due: retries of all, new deliveries of those that are not paused. */
export function findDue(db: Db) {
  const unpaused = endpointsWith(db, 'waiting').where('paused_until', '<=', now());
  return endpointsWith(db, 'retrying').unionAll(unpaused).execute();
}

/** Leases due deliveries, retries first: from each endpoint as many as it is granted. */
export async function claim(
  db: Db,
  due: DueEndpoint[],
  granted: Map<string, number>,
): Promise<ClaimedDelivery[]> {
  const [first, ...others] = due.flatMap(({ webhookId, state }) => {
    const most = granted.get(webhookId);
    return most ? dueOf(db, webhookId, state, most) : [];
  });
  if (!first) return [];
  const found = await others.reduce((all, each) => all.unionAll(each), first).execute();
  const remaining = new Map(granted);
  const ids = found.flatMap(({ id, webhook_id }) => {
    const places = remaining.get(webhook_id) ?? 0;
    remaining.set(webhook_id, places - 1);
    return places > 0 ? id : [];
  });
  if (ids.length === 0) return [];
  const lease = randomId();
  const leasedUntil = now() + LEASE_MS;
  // Several instances may have found the same rows; each row is leased to one of them.
  const rows = db.updateTable('webhook_deliveries').where('id', 'in', ids);
  const free = rows.where('state', 'in', ['retrying', 'waiting']).where(isDue);
  await free.set({ lease, leased_until: leasedUntil }).execute();
  const claimed = await leased(db, ids, lease);
  return claimed.map((each) => ({ ...each, lease, leasedUntil }));
}

/** An expired lease counts as none: its holder has died or is too late. */
function isDue(row: ExpressionBuilder<Database, 'webhook_deliveries'>) {
  return row.and([row('next_at', '<=', now()), row('leased_until', '<=', now())]);
}

function endpointsWith(db: Db, state: OpenState) {
  return db
    .selectFrom('webhook_configs')
    .select(['id as webhookId', 'failures'])
    .select(sql.lit(state).as('state'))
    .where('is_active', '=', 1)
    .where('url', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_deliveries')
          .select('id')
          .whereRef('webhook_deliveries.webhook_id', '=', 'webhook_configs.id')
          .where('state', '=', state)
          .where(isDue),
      ),
    );
}

function dueOf(db: Db, webhookId: string, state: OpenState, most: number) {
  const oldest = db
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id'])
    .where('webhook_id', '=', webhookId)
    .where('state', '=', state)
    .where(isDue)
    .orderBy('next_at')
    .limit(most);
  // Some databases take a limit within a union only in a subquery.
  return db.selectFrom(oldest.as('oldest')).selectAll();
}

function leased(db: Db, ids: string[], lease: string) {
  return db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', 'webhook_events.id', 'event_id')
    .innerJoin('webhook_configs', 'webhook_configs.id', 'webhook_id')
    .select(['webhook_deliveries.id', 'event_id as eventId', 'name as event', 'body', 'attempts'])
    .select(['webhook_id as webhookId', 'url', 'sealed_secret as sealedSecret'])
    .select(['former_secret as formerSecret', 'former_until as formerUntil'])
    .select(['max_retries as maxRetries', 'retry_delay_ms as retryDelayMs'])
    .where('webhook_deliveries.id', 'in', ids)
    .where('lease', '=', lease)
    .where('is_active', '=', 1)
    .where('url', 'is not', null)
    .$narrowType<{ url: string }>()
    .execute();
}
