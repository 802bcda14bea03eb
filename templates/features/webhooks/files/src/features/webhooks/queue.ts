import type { Db } from '../../db/schema.js';
import { lockedUnlessHeld } from '../../db/sql.js';
import { now } from '../../process/clock.js';
import { orderedId, randomId } from '../../process/random.js';
import type { WebhooksTables } from './store.js';

/** After so many failures in a row an endpoint is paused: it gets no new deliveries for a while. */
export const FAILURES_TO_PAUSE = 5;
/** Rows of one statement: keeps its parameters below the limit of every database. */
const CHUNK = 50;

/** A delivery that this process may send until `leasedUntil` (ms). */
export interface ClaimedDelivery {
  id: string;
  eventId: string;
  webhookId: string;
  /** A fencing token: once another process has claimed the delivery, this lease changes nothing. */
  lease: string;
  leasedUntil: number;
  /** Attempts before this one. */
  attempts: number;
  event: { name: string; body: string };
}

/** The result of one request, and the next state of its delivery. */
export interface AttemptResult {
  delivery: ClaimedDelivery;
  attempt: WebhooksTables['webhook_attempts'];
  next: { state: 'delivered' | 'exhausted' | 'failed' } | { state: 'retrying'; at: number };
}

/** Deliveries as rows. No lock is held while a request is under way. */
export interface DeliveryQueue {
  /** Called in the transaction that caused the event; `body` is the text that is signed and sent. */
  enqueue(event: { name: string; body: string }, webhookIds: string[]): Promise<void>;
  /**
   * Leases deliveries that are due: at most `most` of each endpoint, so that a long backlog does not
   * starve the others, and none of the endpoints in `except`.
   */
  claim(options: {
    most: number;
    leaseMs: number;
    except: Set<string>;
  }): Promise<ClaimedDelivery[]>;
  /** Releases claims without an attempt. */
  release(deliveries: ClaimedDelivery[]): Promise<void>;
  /** Called in a transaction. */
  recordAttempts(results: AttemptResult[]): Promise<void>;
}

export function deliveryQueue(db: Db): DeliveryQueue {
  return {
    async enqueue(event, webhookIds) {
      const eventId = orderedId();
      await db
        .insertInto('webhook_events')
        .values({ id: eventId, ...event, created_at: now() })
        .execute();
      const rows = webhookIds.map((webhookId) => ({
        id: orderedId(),
        event_id: eventId,
        webhook_id: webhookId,
        state: 'waiting' as const,
        attempts: 0,
        next_at: now(),
        lease: null,
        leased_until: 0,
        created_at: now(),
      }));
      for (const chunk of chunksOf(rows)) {
        await db.insertInto('webhook_deliveries').values(chunk).execute();
      }
    },

    async claim({ most, leaseMs, except }) {
      const claimed: ClaimedDelivery[] = [];
      for (const { id, failures, paused_until } of await activeEndpoints(db)) {
        if (except.has(id)) continue;
        claimed.push(...(await claimOf(db, id, 'retrying', most, leaseMs)));
        // A paused endpoint keeps its retries; after the pause it gets one new delivery as a probe.
        if ((paused_until ?? 0) > now()) continue;
        const share = (failures ?? 0) < FAILURES_TO_PAUSE ? most : 1;
        claimed.push(...(await claimOf(db, id, 'waiting', share, leaseMs)));
      }
      return claimed;
    },

    async release(deliveries) {
      for (const chunk of chunksOf(deliveries)) {
        await updateHeld(db, chunk).set({ lease: null, leased_until: 0 }).execute();
      }
    },

    async recordAttempts(results) {
      for (const chunk of chunksOf(results)) {
        const present = await stillPresent(db, chunk);
        if (present.length === 0) continue;
        const attempts = present.map(({ attempt }) => attempt);
        await db.insertInto('webhook_attempts').values(attempts).execute();
        const delivered = present.filter(({ next }) => next.state === 'delivered');
        if (delivered.length > 0) await advance(db, delivered, { state: 'delivered' });
        for (const result of present) {
          if (result.next.state !== 'delivered') await advance(db, [result], result.next);
        }
      }
    },
  };
}

function activeEndpoints(db: Db) {
  return db
    .selectFrom('webhook_configs')
    .leftJoin('webhook_health', 'webhook_health.webhook_id', 'webhook_configs.id')
    .select(['webhook_configs.id', 'failures', 'paused_until'])
    .where('is_active', '=', 1)
    .where('url', 'is not', null)
    .execute();
}

async function claimOf(
  db: Db,
  webhookId: string,
  state: 'retrying' | 'waiting',
  most: number,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  // An expired lease counts as none: its holder has died or is too late.
  const dueOn = (connection: Db) =>
    connection
      .selectFrom('webhook_deliveries')
      .select(['id', 'event_id', 'attempts'])
      .where('webhook_id', '=', webhookId)
      .where('state', '=', state)
      .where('next_at', '<=', now())
      .where('leased_until', '<=', now());
  // Without a lock first: most endpoints have nothing due.
  if (!(await dueOn(db).limit(1).executeTakeFirst())) return [];

  const lease = randomId();
  const leasedUntil = now() + leaseMs;
  return db.transaction().execute(async (tx) => {
    const rows = await lockedUnlessHeld(dueOn(tx).orderBy('next_at').limit(most)).execute();
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const eventIds = rows.map(({ event_id }) => event_id);
    const leasing = tx.updateTable('webhook_deliveries').set({ lease, leased_until: leasedUntil });
    await leasing.where('id', 'in', ids).execute();
    const stored = tx.selectFrom('webhook_events').select(['id', 'name', 'body']);
    const events = await stored.where('id', 'in', eventIds).execute();
    const byId = new Map(events.map((event) => [event.id, event]));
    return rows.flatMap(({ id, event_id: eventId, attempts }) => {
      const event = byId.get(eventId);
      return event ? [{ id, eventId, webhookId, lease, leasedUntil, attempts, event }] : [];
    });
  });
}

/** Updates only deliveries that still have the lease of their claim. */
function updateHeld(db: Db, deliveries: ClaimedDelivery[]) {
  const ids = deliveries.map(({ id }) => id);
  const leases = new Set(deliveries.map(({ lease }) => lease));
  return db
    .updateTable('webhook_deliveries')
    .where('id', 'in', ids)
    .where('lease', 'in', [...leases]);
}

/** A webhook may have been deleted during a request, and its deliveries with it. */
async function stillPresent(db: Db, results: AttemptResult[]): Promise<AttemptResult[]> {
  const ids = results.map(({ delivery }) => delivery.id);
  const query = db.selectFrom('webhook_deliveries').select('id').where('id', 'in', ids);
  const present = new Set((await query.execute()).map(({ id }) => id));
  return results.filter(({ delivery }) => present.has(delivery.id));
}

async function advance(db: Db, results: AttemptResult[], next: AttemptResult['next']) {
  const deliveries = results.map(({ delivery }) => delivery);
  await updateHeld(db, deliveries)
    .set((row) => ({
      state: next.state,
      attempts: row('attempts', '+', 1),
      next_at: 'at' in next ? next.at : now(),
      lease: null,
      leased_until: 0,
    }))
    .execute();
}

/** Lists of at most CHUNK items. */
function chunksOf<Item>(items: Item[]): Item[][] {
  const count = Math.ceil(items.length / CHUNK);
  return Array.from({ length: count }, (_, at) => items.slice(at * CHUNK, (at + 1) * CHUNK));
}
