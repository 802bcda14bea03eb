import * as z from 'zod';
import type { Db } from '../../db/schema.js';
import type { Cause } from '../../events/bus.js';
import { defineFeature, event } from '../../feature.js';
import type { Services } from '../../services.js';
import { ADMIN_ROLE } from '../../users/account.js';
import { rolesStore } from './store.js';

export const roles = defineFeature({
  events: {
    'identity.role.revoked': event<{ role: string }>(),
  },
  stores: (db: Db) => ({ roles: rolesStore(db) }),
});

/** True for a role that the service itself relies on: it cannot be changed or deleted. */
export function isProtected(role: string): boolean {
  return role === ADMIN_ROLE || role === 'user';
}

export const roleNameField = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'Use lower-case letters, digits and hyphens, at most 64.');

const PERMISSION = /^(\*|[a-z][\w-]{0,63}):(\*|[a-z][\w-]{0,63})$/;
export const permissionList = z
  .array(z.string().regex(PERMISSION, 'Write it as resource:action.'))
  .max(200)
  .transform((permissions) => [...new Set(permissions)].sort());

/** Takes a role from a user; false if they do not hold it. */
export async function takeRole(
  services: Services,
  userId: string,
  role: string,
  cause: Cause,
): Promise<boolean> {
  return services.transaction(async (tx) => {
    if (!(await tx.roles.revoke(userId, role))) return false;
    tx.events.publish('identity.role.revoked', { role }, { ...cause, userId });
    return true;
  });
}

/** Deletes a role and takes it from all who hold it; false if there is none. */
export async function deleteRole(services: Services, role: string, cause: Cause): Promise<boolean> {
  return services.transaction(async (tx) => {
    // With the lock, users who are being given the role right now are among the holders.
    await tx.roles.lock(role);
    // One by one: if another request takes the role from a user meanwhile, that request publishes the event.
    for (const userId of await tx.roles.holders(role)) await takeRole(tx, userId, role, cause);
    return tx.roles.delete(role);
  });
}
