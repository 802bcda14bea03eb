import * as z from 'zod';
import { affectsRow } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { insertUnlessTaken, locked } from '../../db/sql.js';
import type { Cause } from '../../events/bus.js';
import { defineFeature, event } from '../../feature.js';
import { defaultRole } from '../../policy.js';
import type { Services } from '../../services.js';
import { ADMIN_ROLE } from '../../users/account.js';

export const roles = defineFeature({
  events: {
    'identity.role.revoked': event<{ role: string }>(),
  },
  stores: (db: Db) => ({ roles: rolesStore(db) }),
});

/** True for a role that the service itself relies on: it cannot be changed or deleted. */
export function isProtected(role: string): boolean {
  return role === ADMIN_ROLE || role === 'user' || role === defaultRole;
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

/** A role and what it allows. */
export interface Role {
  name: string;
  /** `<resource>:<action>`; either part may be `*`. */
  permissions: string[];
}

/** Defines roles and revokes them; `userRoles` assigns them. */
export function rolesStore(db: Db) {
  return {
    async find(name: string): Promise<Role | undefined> {
      const role = db.selectFrom('roles').selectAll().where('name', '=', name);
      const row = await role.executeTakeFirst();
      return row && roleOf(row);
    },

    /** By name. */
    async list(): Promise<Role[]> {
      const rows = await db.selectFrom('roles').selectAll().orderBy('name').execute();
      return rows.map(roleOf);
    },

    /** False if there is one of that name. */
    async create({ name, permissions }: Role): Promise<boolean> {
      const row = { name, permissions: JSON.stringify(permissions) };
      return insertUnlessTaken(db.insertInto('roles').values(row));
    },

    /** False if there is none. */
    async setPermissions({ name, permissions }: Role): Promise<boolean> {
      const role = db.updateTable('roles').where('name', '=', name);
      return affectsRow(role.set({ permissions: JSON.stringify(permissions) }));
    },

    /** Takes the role from all who hold it, too; false if there is none. */
    async delete(name: string): Promise<boolean> {
      return affectsRow(db.deleteFrom('roles').where('name', '=', name));
    },

    /** False if the user does not hold it. */
    async revoke(userId: string, name: string): Promise<boolean> {
      const assignments = db.deleteFrom('user_roles').where('user_id', '=', userId);
      return affectsRow(assignments.where('role_name', '=', name));
    },

    /** A role, locked until the end of the transaction. */
    async lock(name: string): Promise<Role | undefined> {
      const role = db.selectFrom('roles').selectAll().where('name', '=', name);
      const row = await locked(role).executeTakeFirst();
      return row && roleOf(row);
    },

    /** The ids of all who hold the role. */
    async holders(name: string): Promise<string[]> {
      const rows = db.selectFrom('user_roles').select('user_id').where('role_name', '=', name);
      return (await rows.execute()).map((row) => row.user_id);
    },
  };
}

function roleOf(row: { name: string; permissions: string }): Role {
  return { name: row.name, permissions: JSON.parse(row.permissions) };
}
