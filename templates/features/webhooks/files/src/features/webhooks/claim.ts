import { now } from '../../clock.js';
import { lockedUnlessHeld } from '../../db/locks.js';
import type { Db } from '../../db/schema.js';
import { randomId } from '../../random.js';
import type { ClaimedDelivery, ClaimOptions } from './queue.js';

/** After so many failures in a row an endpoint is told nothing new for a while. */
export const FAILURES_TO_PAUSE = 5;

/** Deliveries to take: those tried before, which come back at their own times, or those never tried. */
interface Share {
  state: 'retrying' | 'waiting';
  most: number;
}

/**
 * Leases what is due. Endpoint by endpoint, so that one with a hundred thousand rows takes no more
 * than its share and costs no more than any other; what another instance holds is passed over.
 */
export async function claimDue(db: Db, options: ClaimOptions): Promise<ClaimedDelivery[]> {
  const { most, leaseMs, except } = options;
  const claimed: ClaimedDelivery[] = [];
  for (const { id, shares } of await endpointsToAsk(db, most)) {
    if (except.has(id)) continue;
    for (const share of shares) {
      if (await hasDue(db, id, share)) claimed.push(...(await claimOf(db, id, share, leaseMs)));
    }
  }
  return claimed;
}

async function endpointsToAsk(db: Db, most: number): Promise<{ id: string; shares: Share[] }[]> {
  const rows = await db
    .selectFrom('webhook_configs')
    .leftJoin('webhook_health', 'webhook_health.webhook_id', 'webhook_configs.id')
    .select(['webhook_configs.id', 'failures', 'paused_until'])
    .where('is_active', '=', 1)
    .where('url', 'is not', null)
    .execute();
  return rows.map(({ id, failures, paused_until }) => ({
    id,
    shares: sharesOf(failures ?? 0, paused_until ?? 0, most),
  }));
}

/** An endpoint that keeps failing still gets what it was told of once; of the rest one, when its pause is over. */
function sharesOf(failures: number, pausedUntil: number, most: number): Share[] {
  const retries: Share = { state: 'retrying', most };
  if (pausedUntil > now()) return [retries];
  return [retries, { state: 'waiting', most: failures < FAILURES_TO_PAUSE ? most : 1 }];
}

/** Asked without a lock: most endpoints have nothing to do at most times. */
async function hasDue(db: Db, webhookId: string, { state }: Share): Promise<boolean> {
  const due = dueOf(db, webhookId, state).select('id').limit(1);
  return (await due.executeTakeFirst()) !== undefined;
}

async function claimOf(
  db: Db,
  webhookId: string,
  { state, most }: Share,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  const lease = randomId();
  const leasedUntil = now() + leaseMs;
  return db.transaction().execute(async (within) => {
    const due = dueOf(within, webhookId, state)
      .select(['id', 'event_id', 'attempts'])
      .orderBy('next_at')
      .limit(most);
    const rows = await lockedUnlessHeld(due).execute();
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    await within
      .updateTable('webhook_deliveries')
      .set({ lease, leased_until: leasedUntil })
      .where('id', 'in', ids)
      .execute();
    const events = await within
      .selectFrom('webhook_events')
      .select(['id', 'name', 'body'])
      .where(
        'id',
        'in',
        rows.map(({ event_id }) => event_id),
      )
      .execute();
    const byId = new Map(events.map((event) => [event.id, event]));
    return rows.flatMap((row) => {
      const event = byId.get(row.event_id);
      if (!event) return [];
      const { id, event_id: eventId, attempts } = row;
      return [{ id, eventId, webhookId, lease, leasedUntil, attempts, event }];
    });
  });
}

/** An expired lease counts as none: whoever held it is gone, or too late. */
function dueOf(db: Db, webhookId: string, state: Share['state']) {
  return db
    .selectFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('state', '=', state)
    .where('next_at', '<=', now())
    .where('leased_until', '<=', now());
}
