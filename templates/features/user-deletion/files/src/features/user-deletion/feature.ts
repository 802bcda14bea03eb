import type { EventCause } from '../../events/bus.js';
import { defineFeature, event } from '../../feature.js';
import type { Services } from '../../services.js';
import { endSessionsOfUser } from '../../session/end-session.js';

export const userDeletion = defineFeature({
  events: {
    'identity.user.deleted': event<{ source: 'self' | 'admin' }>(),
  },
});

/**
 * Deletes a user with everything that belongs to them, in one transaction: each table of a feature
 * refers to `users` with `on delete cascade`, and what is kept by the address is forgotten first. Whoever
 * registers the address again inherits nothing.
 * False if there is no such user: a parallel request was first.
 */
export async function deleteUser(
  services: Services,
  userId: string,
  source: 'self' | 'admin',
  cause: Omit<EventCause, 'userId'>,
): Promise<boolean> {
  return services.transaction(async (tx) => {
    // A sign-in that is under way ends before this, and is told of below, or finds nobody.
    if (!(await tx.users.lock(userId))) return false;
    await endSessionsOfUser(tx, cause, userId, 'account-deleted');
    for (const { credential } of tx.features) await credential?.forget(tx, userId);
    await tx.users.delete(userId);
    tx.events.publish('identity.user.deleted', { source }, { ...cause, userId });
    return true;
  });
}
