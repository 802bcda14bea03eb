import { now } from '../../clock.js';
import type { Db } from '../../db/schema.js';
import type { Settlement } from './queue.js';

/** Rows of one statement; below the number of parameters that every database takes. */
const CHUNK = 50;

/**
 * Writes the ends of tries; called in a transaction. The lease is the fence: a delivery that has been
 * given to somebody else meanwhile keeps the state which they give it.
 */
export async function settleAll(db: Db, settlements: Settlement[]): Promise<void> {
  const present = await stillThere(db, settlements);
  for (const chunk of chunksOf(present)) await logAttempts(db, chunk);
  const delivered = present.filter(({ next }) => next.state === 'delivered');
  for (const chunk of chunksOf(delivered)) await markDelivered(db, chunk);
  for (const settlement of present) {
    if (settlement.next.state !== 'delivered') await markFailed(db, settlement);
  }
}

/** A webhook may have been deleted while it was told, and its deliveries with it. */
async function stillThere(db: Db, settlements: Settlement[]): Promise<Settlement[]> {
  const known = new Set<string>();
  for (const chunk of chunksOf(settlements)) {
    const rows = await db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('id', 'in', idsOf(chunk))
      .execute();
    for (const { id } of rows) known.add(id);
  }
  return settlements.filter(({ delivery }) => known.has(delivery.id));
}

async function logAttempts(db: Db, chunk: Settlement[]): Promise<void> {
  const rows = chunk.map(({ delivery, attempt }) => ({
    id: attempt.id,
    delivery_id: delivery.id,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    status: attempt.status,
    response: attempt.response,
    error: attempt.error,
  }));
  await db.insertInto('webhook_attempts').values(rows).execute();
}

async function markDelivered(db: Db, chunk: Settlement[]): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set((row) => ({
      state: 'delivered' as const,
      attempts: row('attempts', '+', 1),
      lease: null,
      leased_until: 0,
    }))
    .where('id', 'in', idsOf(chunk))
    .where('lease', 'in', [...new Set(chunk.map(({ delivery }) => delivery.lease))])
    .execute();
}

async function markFailed(db: Db, { delivery, next }: Settlement): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set((row) => ({
      state: next.state,
      attempts: row('attempts', '+', 1),
      next_at: 'at' in next ? next.at : now(),
      lease: null,
      leased_until: 0,
    }))
    .where('id', '=', delivery.id)
    .where('lease', '=', delivery.lease)
    .execute();
}

function idsOf(settlements: Settlement[]): string[] {
  return settlements.map(({ delivery }) => delivery.id);
}

/** Lists of at most CHUNK items. */
export function chunksOf<Item>(items: Item[]): Item[][] {
  const count = Math.ceil(items.length / CHUNK);
  return Array.from({ length: count }, (_, at) => items.slice(at * CHUNK, (at + 1) * CHUNK));
}
