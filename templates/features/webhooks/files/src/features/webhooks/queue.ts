import { sql } from 'kysely';
import { deletePages } from '../../db/queries.js';
import type { Database, Db } from '../../db/schema.js';
import { now } from '../../process/clock.js';
import { orderedId } from '../../process/random.js';
import { type ClaimedDelivery, claim, type DueEndpoint, findDue, UNCLAIMED } from './claim.js';

/** Rows of one statement: keeps its parameters below the limit of every database. */
const CHUNK = 500;

export function* chunksOf<Row>(rows: Row[]) {
  for (let at = 0; at < rows.length; at += CHUNK) yield rows.slice(at, at + CHUNK);
}

/** The result of one request, and the next state of its delivery. */
export interface AttemptResult {
  delivery: ClaimedDelivery;
  attempt: Database['webhook_attempts'];
  next:
    | { state: 'delivered' | 'exhausted' | 'failed' }
    /** Held: it does not count as a retry. */
    | { state: 'retrying'; at: number; isHeld?: true };
}

/** Deliveries as rows. No lock is held while a request is under way. */
export function deliveryQueue(db: Db) {
  return {
    /** Called in the transaction that caused the event; `body` is the text that is signed and sent. */
    async enqueue(
      event: Omit<Database['webhook_events'], 'id' | 'created_at'>,
      webhookIds: string[],
    ) {
      const time = now();
      const stored = { id: orderedId(), ...event, created_at: time };
      await db.insertInto('webhook_events').values(stored).execute();
      const due = { state: 'waiting', attempts: 0, next_at: time, ...UNCLAIMED } as const;
      const common = { event_id: stored.id, created_at: time, ...due };
      const rows = webhookIds.map((webhook_id) => ({ id: orderedId(), webhook_id, ...common }));
      for (const chunk of chunksOf(rows)) {
        await db.insertInto('webhook_deliveries').values(chunk).execute();
      }
    },

    findDue: () => findDue(db),
    claim: (due: DueEndpoint[], granted: Map<string, number>) => claim(db, due, granted),

    /** Called in a transaction. */
    async recordAttempts(results: AttemptResult[]) {
      const ids = results.map(({ delivery }) => delivery.id);
      // A webhook may have been deleted during a request, and its deliveries with it.
      const rows = db.selectFrom('webhook_deliveries').select('id').where('id', 'in', ids);
      const stored = new Set((await rows.execute()).map(({ id }) => id));
      const present = results.filter(({ delivery }) => stored.has(delivery.id));
      if (present.length === 0) return;
      const attempts = present.map(({ attempt }) => attempt);
      await db.insertInto('webhook_attempts').values(attempts).execute();
      const delivered = present.filter(({ next }) => next.state === 'delivered');
      if (delivered.length > 0) await advance(db, delivered, { state: 'delivered' });
      for (const result of present) {
        if (result.next.state !== 'delivered') await advance(db, [result], result.next);
      }
    },

    /** Ends all open deliveries of an endpoint that is gone. */
    async failAll(webhookId: string) {
      const all = db.updateTable('webhook_deliveries').where('webhook_id', '=', webhookId);
      const open = all.where('state', 'in', ['retrying', 'waiting']);
      await open.set({ state: 'failed', ...UNCLAIMED }).execute();
    },

    /** Deletes all deliveries of an endpoint. */
    deleteAll: (webhookId: string) =>
      deletePages(db, 'webhook_deliveries', sql`webhook_id = ${webhookId}`),
  };
}

/** Updates only deliveries that still have the lease of their claim. */
async function advance(db: Db, results: AttemptResult[], next: AttemptResult['next']) {
  const ids = results.map(({ delivery }) => delivery.id);
  const leases = new Set(results.map(({ delivery }) => delivery.lease));
  const { state, at: next_at } = { at: now(), ...next };
  const ended = { state, next_at, ...UNCLAIMED };
  const deliveries = db.updateTable('webhook_deliveries').where('id', 'in', ids);
  await deliveries
    .set((row) => ({ ...ended, attempts: row('attempts', '+', 'isHeld' in next ? 0 : 1) }))
    .where('lease', 'in', [...leases])
    .execute();
}
