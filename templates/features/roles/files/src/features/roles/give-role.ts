import type { EventCause } from '../../events/bus.js';
import { inTransaction, type Services } from '../../services.js';

type Cause = Omit<EventCause, 'userId'>;

/** Gives a role to a user; false if they hold it, or there is no such role. */
export async function giveRole(
  services: Services,
  userId: string,
  role: string,
  cause: Cause,
): Promise<boolean> {
  return inTransaction(services, async ({ userRoles, events }) => {
    if (!(await userRoles.assign(userId, role))) return false;
    events.publish('identity.role.assigned', { role }, { ...cause, userId });
    return true;
  });
}

/** Takes a role from a user; false if they do not hold it. */
export async function takeRole(
  services: Services,
  userId: string,
  role: string,
  cause: Cause,
): Promise<boolean> {
  return inTransaction(services, async ({ roles, events }) => {
    if (!(await roles.revoke(userId, role))) return false;
    events.publish('identity.role.revoked', { role }, { ...cause, userId });
    return true;
  });
}

/** Deletes a role and takes it from all who hold it; false if there is none. */
export async function deleteRole(services: Services, role: string, cause: Cause): Promise<boolean> {
  return inTransaction(services, async ({ roles, events }) => {
    // Whoever is being given the role at this moment is among the holders once the lock is had.
    await roles.lock(role);
    for (const userId of await roles.holders(role)) {
      // One by one: whom another request takes it from meanwhile, that request tells.
      if (!(await roles.revoke(userId, role))) continue;
      events.publish('identity.role.revoked', { role }, { ...cause, userId });
    }
    return roles.delete(role);
  });
}
