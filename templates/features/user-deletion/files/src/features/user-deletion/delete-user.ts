import { credentials } from '../../credentials.js';
import type { EventCause } from '../../events/bus.js';
import { inTransaction, type Services } from '../../services.js';
import { endSessionsOfUser } from '../../session/end-session.js';

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
  return inTransaction(services, async (inside) => {
    // A sign-in that is under way ends before this, and is told of below, or finds nobody.
    if (!(await inside.users.lock(userId))) return false;
    await endSessionsOfUser(inside, cause, userId, 'account-deleted');
    for (const credential of credentials) await credential.forget(inside, userId);
    await inside.users.delete(userId);
    inside.events.publish('identity.user.deleted', { source }, { ...cause, userId });
    return true;
  });
}
