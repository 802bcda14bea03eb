import { now } from '../clock.js';
import { isUniqueViolation } from '../db/errors.js';
import type { Db } from '../db/schema.js';

/** What a user's roles amount to. */
export interface RoleGrant {
  /** The one role that tokens and the profile name: `admin` if held, else the earliest assigned. */
  primary: string;
  names: string[];
  /** `<resource>:<action>`, either part may be `*`. */
  permissions: string[];
}

export interface RoleStore {
  /** False if the user holds the role already, or there is no such role. */
  assign(userId: string, roleName: string): Promise<boolean>;
  /** True if any user holds the role. */
  isHeld(roleName: string): Promise<boolean>;
}

export const ADMIN_ROLE = 'admin';
const ROLE_OF_NOBODY = 'user';

/** The role store on the service's database. */
export function roleStore(db: Db): RoleStore {
  return {
    async assign(userId, roleName) {
      const role = await db
        .selectFrom('roles')
        .select('name')
        .where('name', '=', roleName)
        .executeTakeFirst();
      if (!role) return false;
      try {
        await db
          .insertInto('user_roles')
          .values({ user_id: userId, role_name: roleName, assigned_at: now() })
          .execute();
        return true;
      } catch (error) {
        if (isUniqueViolation(error)) return false;
        throw error;
      }
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

interface RoleRow {
  role_name: string | null;
  assigned_at: number | null;
  permissions: string | null;
}

/** The grant out of a user's role rows; a user without any has the role `user` and may do nothing. */
export function grantOf(rows: RoleRow[]): RoleGrant {
  const held = rows
    .filter((row) => row.role_name !== null)
    .sort((a, b) => (a.assigned_at ?? 0) - (b.assigned_at ?? 0));
  const names = held.map((row) => row.role_name ?? '');
  const permissions = held.flatMap((row): string[] => JSON.parse(row.permissions ?? '[]'));
  return {
    primary: names.includes(ADMIN_ROLE) ? ADMIN_ROLE : (names[0] ?? ROLE_OF_NOBODY),
    names,
    permissions: [...new Set(permissions)].sort(),
  };
}
