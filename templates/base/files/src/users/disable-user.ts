import { now } from '../clock.js';
import type { EventCause } from '../events/bus.js';
import { inTransaction, type Services } from '../services.js';
import { endSessionsOfUser } from '../session/end-session.js';

/**
 * Disables an account and ends its sessions at once, in one transaction. False if there is no such
 * account, or it was disabled before.
 */
export async function disableUser(
  services: Services,
  userId: string,
  cause: Omit<EventCause, 'userId'>,
): Promise<boolean> {
  return inTransaction(services, async (inside) => {
    if (!(await inside.users.setDisabled(userId, now()))) return false;
    await endSessionsOfUser(inside, cause, userId, 'disabled');
    return true;
  });
}
