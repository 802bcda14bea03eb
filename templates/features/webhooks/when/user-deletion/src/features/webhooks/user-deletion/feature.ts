import type { Db } from '../../../db/schema.js';
import type { EventRecorder } from '../../../events/bus.js';
import { defineFeature } from '../../../feature.js';
import { withoutPersonalData } from '../../user-deletion/feature.js';

/** Stored events of a deleted user still say what happened, but no longer to whom. */
const recorder: EventRecorder = {
  async record({ db }, { event, metadata: { userId } }) {
    if (event === 'identity.user.deleted' && userId) await forgetUser(db, userId);
  },
};

async function forgetUser(db: Db, userId: string): Promise<void> {
  const stored = db.selectFrom('webhook_events').select(['id', 'body']);
  const ofUser = stored.where('user_id', '=', userId);
  for (const { id, body } of await ofUser.execute()) {
    const event = JSON.parse(body);
    // A script may have sent a single text, such as an address, or nothing.
    const data = typeof event.data === 'object' ? withoutPersonalData(event.data) : null;
    const forgotten = JSON.stringify({ ...event, data });
    await db.updateTable('webhook_events').set({ body: forgotten }).where('id', '=', id).execute();
  }
}

export const webhooksUserDeletion = defineFeature({ recorder });
