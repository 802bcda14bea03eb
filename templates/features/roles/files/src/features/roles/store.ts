import { contains, type Page, readPage } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { insertUnlessTaken, locked } from '../../db/sql.js';

/** A role and what it allows. */
export interface Role {
  name: string;
  /** `<resource>:<action>`; either part may be `*`. */
  permissions: string[];
}

/** Defines roles and revokes them; `userRoles` assigns them. */
export interface RolesStore {
  find(name: string): Promise<Role | undefined>;
  /** `filter` is part of the name; `total` the number of all that match. */
  list(page: Page & { filter?: string | undefined }): Promise<{ roles: Role[]; total: number }>;
  listOfUser(userId: string): Promise<Role[]>;
  /** False if there is one of that name. */
  create(role: Role): Promise<boolean>;
  /** False if there is none. */
  setPermissions(role: Role): Promise<boolean>;
  /** Deletes the role, and takes it from all who hold it; false if there is none. */
  delete(name: string): Promise<boolean>;
  /** False if the user does not hold it. */
  revoke(userId: string, name: string): Promise<boolean>;
  /** Locks a role until the end of the transaction. */
  lock(name: string): Promise<void>;
  /** The ids of all who hold the role. */
  holders(name: string): Promise<string[]>;
  /** How many users other than this one hold the role and are not disabled. */
  countOtherHolders(name: string, userId: string): Promise<number>;
}

export function rolesStore(db: Db): RolesStore {
  return {
    async find(name) {
      const row = await db
        .selectFrom('roles')
        .selectAll()
        .where('name', '=', name)
        .executeTakeFirst();
      return row && roleOf(row);
    },

    async list({ filter, ...page }) {
      let query = db.selectFrom('roles').selectAll();
      if (filter) query = query.where(({ ref }) => contains(ref('name'), filter));
      const { rows, total } = await readPage(query.orderBy('name'), page);
      return { roles: rows.map(roleOf), total };
    },

    async listOfUser(userId) {
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

    async create({ name, permissions }) {
      const row = { name, permissions: JSON.stringify(permissions) };
      return insertUnlessTaken(db.insertInto('roles').values(row));
    },

    async setPermissions({ name, permissions }) {
      const { numUpdatedRows } = await db
        .updateTable('roles')
        .set({ permissions: JSON.stringify(permissions) })
        .where('name', '=', name)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async delete(name) {
      const { numDeletedRows } = await db
        .deleteFrom('roles')
        .where('name', '=', name)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async revoke(userId, name) {
      const { numDeletedRows } = await db
        .deleteFrom('user_roles')
        .where('user_id', '=', userId)
        .where('role_name', '=', name)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async lock(name) {
      await locked(db.selectFrom('roles').select('name').where('name', '=', name)).execute();
    },

    async holders(name) {
      const rows = await db
        .selectFrom('user_roles')
        .select('user_id')
        .where('role_name', '=', name)
        .execute();
      return rows.map((row) => row.user_id);
    },

    async countOtherHolders(name, userId) {
      const { others } = await db
        .selectFrom('user_roles')
        .innerJoin('users', 'users.id', 'user_roles.user_id')
        .select((of) => of.fn.countAll<number>().as('others'))
        .where('role_name', '=', name)
        .where('user_id', '!=', userId)
        .where('disabled_at', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(others);
    },
  };
}

function roleOf(row: { name: string; permissions: string }): Role {
  return { name: row.name, permissions: JSON.parse(row.permissions) };
}
