import { affectsRow } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { insertUnlessTaken, locked } from '../../db/sql.js';

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

    async listOfUser(userId: string): Promise<Role[]> {
      const rows = await db
        .selectFrom('user_roles')
        .innerJoin('roles', 'roles.name', 'user_roles.role_name')
        .select(['roles.name', 'roles.permissions'])
        .where('user_id', '=', userId)
        .orderBy('assigned_at')
        .orderBy('roles.name')
        .execute();
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

    /** Locks a role until the end of the transaction. */
    async lock(name: string): Promise<void> {
      await locked(db.selectFrom('roles').select('name').where('name', '=', name)).execute();
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
