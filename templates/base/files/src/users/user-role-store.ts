import { now } from '../clock.js';
import { insertUnlessTaken } from '../db/insert.js';
import type { Db } from '../db/schema.js';

/** Who holds which role. */
export interface UserRoleStore {
  /** False if the user holds the role already, or there is no such role. */
  assign(userId: string, roleName: string): Promise<boolean>;
  /** True if any user holds the role. */
  isHeld(roleName: string): Promise<boolean>;
}

/** The store of who holds which role, on the service's database. */
export function userRoleStore(db: Db): UserRoleStore {
  return {
    async assign(userId, roleName) {
      const role = await db
        .selectFrom('roles')
        .select('name')
        .where('name', '=', roleName)
        .executeTakeFirst();
      if (!role) return false;
      const row = { user_id: userId, role_name: roleName, assigned_at: now() };
      return insertUnlessTaken(db.insertInto('user_roles').values(row));
    },

    async isHeld(roleName) {
      const row = await db
        .selectFrom('user_roles')
        .select('user_id')
        .where('role_name', '=', roleName)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
