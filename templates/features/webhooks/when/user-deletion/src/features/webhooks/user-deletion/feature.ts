import type { EventRecorder } from '../../../events/bus.js';
import { defineFeature } from '../../../feature.js';
import { withoutPersonalData } from '../../user-deletion/feature.js';

/** Stored events of a deleted user still say what happened, but no longer to whom. */
const recorder: EventRecorder = {
  async record({ db }, { event, metadata: { userId } }) {
    if (event !== 'identity.user.deleted' || !userId) return;
    const stored = db.selectFrom('webhook_events').select(['id', 'body']);
    for (const { id, body } of await stored.where('user_id', '=', userId).execute()) {
      const sent = JSON.parse(body);
      // A script may have sent a single text, such as an address, or nothing.
      const data = typeof sent.data === 'object' ? withoutPersonalData(sent.data) : null;
      const changed = { body: JSON.stringify({ ...sent, data }) };
      if (changed.body === body) continue;
      await db.updateTable('webhook_events').set(changed).where('id', '=', id).execute();
    }
  },
};

export const webhooksUserDeletion = defineFeature({ recorder });
