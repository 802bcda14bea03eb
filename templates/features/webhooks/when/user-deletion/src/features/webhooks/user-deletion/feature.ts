import type { EventRecorder } from '../../../events/bus.js';
import { defineFeature } from '../../../feature.js';
import { withoutPersonalData } from '../../user-deletion/feature.js';
import { chunksOf } from '../queue.js';

/** Stored events of a deleted user still say what happened, but no longer to whom. */
const recorder: EventRecorder = {
  async record({ db }, { event, metadata: { userId } }) {
    if (event !== 'identity.user.deleted' || !userId) return;
    const stored = db.selectFrom('webhook_events').where('user_id', '=', userId);
    const sent = db.selectFrom('webhook_deliveries').where('event_id', 'in', stored.select('id'));
    // By id: with a subquery, some databases would read every attempt.
    const ids = (await sent.select('id').execute()).map(({ id }) => id);
    // A receiver may have answered with what it was sent.
    const attempts = db.updateTable('webhook_attempts').set({ response: null });
    for (const some of chunksOf(ids)) await attempts.where('delivery_id', 'in', some).execute();
    for (const { id, body } of await stored.select(['id', 'body']).execute()) {
      const payload = JSON.parse(body);
      // A script may have sent a single text, such as an address, or nothing.
      const data = typeof payload.data === 'object' ? withoutPersonalData(payload.data) : null;
      const changed = { body: JSON.stringify({ ...payload, data }) };
      if (changed.body === body) continue;
      await db.updateTable('webhook_events').set(changed).where('id', '=', id).execute();
    }
  },
};

export const webhooksUserDeletion = defineFeature({ recorder });
