import { now } from '../../clock.js';
import type { Db } from '../../db/schema.js';
import { orderedId } from '../../random.js';
import { claimDue } from './claim.js';
import type { DeliveryQueue } from './queue.js';
import { chunksOf, settleAll } from './settle.js';

/** The queue in the service's own tables. */
export function databaseQueue(db: Db): DeliveryQueue {
  return {
    async enqueue({ name, body }, webhookIds) {
      const eventId = orderedId();
      await db
        .insertInto('webhook_events')
        .values({ id: eventId, name, body, created_at: now() })
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

    claim: (options) => claimDue(db, options),

    async release(deliveries) {
      for (const chunk of chunksOf(deliveries)) {
        await db
          .updateTable('webhook_deliveries')
          .set({ lease: null, leased_until: 0 })
          .where(
            'id',
            'in',
            chunk.map(({ id }) => id),
          )
          .where('lease', 'in', [...new Set(chunk.map(({ lease }) => lease))])
          .execute();
      }
    },

    settle: (settlements) => settleAll(db, settlements),

    async replay(deliveryId) {
      const { numUpdatedRows } = await db
        .updateTable('webhook_deliveries')
        .set({ state: 'waiting', attempts: 0, next_at: now() })
        .where('id', '=', deliveryId)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async purge(time) {
      await db.deleteFrom('webhook_events').where('created_at', '<', time).execute();
    },
  };
}
