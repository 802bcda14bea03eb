import { sql } from 'kysely';
import type { Db } from '../db/schema.js';
import { insertUnlessTaken, jsonRows } from '../db/sql.js';
import { refuse } from '../http/errors.js';
import { now } from '../process/clock.js';
import { isTotpEnabled } from './is-totp-enabled.js';
import { type User, userOf } from './user.js';

/** A user with what their roles allow. */
export interface Account {
  user: User;
  roles: RoleGrant;
  isTotpEnabled: boolean;
}

/** What a user's roles amount to. */
export interface RoleGrant {
  /** The one role that tokens and the profile name: `admin` if held, else the earliest assigned. */
  primary: string;
  names: string[];
  /** `<resource>:<action>`, either part may be `*`. */
  permissions: string[];
}

/** The role that holds every permission. */
export const ADMIN_ROLE = 'admin';
const ROLE_OF_NOBODY = 'user';

/** A role that a user holds, as the database has it. */
export interface HeldRole {
  role_name: string;
  /** ms since the epoch. */
  assigned_at: number;
  /** A JSON array. */
  permissions: string;
}

/** What the roles that a user holds amount to; a user without any has the role `user` and may do nothing. */
export function grantOf(held: HeldRole[]): RoleGrant {
  const inOrder = [...held].sort(byTimeAndName);
  const names = inOrder.map((role) => role.role_name);
  const permissions = inOrder.flatMap((role): string[] => JSON.parse(role.permissions));
  return {
    primary: names.includes(ADMIN_ROLE) ? ADMIN_ROLE : (names[0] ?? ROLE_OF_NOBODY),
    names,
    permissions: [...new Set(permissions)].sort(),
  };
}

/** Two can be assigned in one millisecond; which of them names the user must not change from query to query. */
function byTimeAndName(one: HeldRole, other: HeldRole): number {
  return one.assigned_at - other.assigned_at || (one.role_name < other.role_name ? -1 : 1);
}

/** True if one of the account's permissions covers `<resource>:<action>`; `*` stands for any. */
export function hasPermission(account: Account, permission: string): boolean {
  const wanted = permission.split(':');
  return account.roles.permissions.some((each) => {
    const granted = each.split(':');
    return (
      granted.length === wanted.length && granted.every((part, at) => covers(part, wanted[at]))
    );
  });
}

/** Throws FORBIDDEN unless the account has the permission. */
export function requirePermission(account: Account, permission: string): void {
  if (!hasPermission(account, permission)) throw refuse('FORBIDDEN');
}

function covers(granted: string, wanted: string | undefined): boolean {
  return granted === '*' || granted === wanted;
}

/** A user with their roles: at most one row, once joins and conditions that follow have chosen it. */
export function accountRow(db: Db) {
  return db
    .selectFrom('users')
    .select([
      'users.id',
      'users.email',
      'users.email_verified_at',
      'users.login_provider',
      'users.metadata',
      'users.disabled_at',
      'users.created_at',
      isTotpEnabled().as('is_totp_enabled'),
    ])
    .select(({ selectFrom }) =>
      selectFrom('user_roles')
        .innerJoin('roles', 'roles.name', 'user_roles.role_name')
        .whereRef('user_roles.user_id', '=', 'users.id')
        .select(({ ref }) =>
          jsonRows([
            ref('user_roles.role_name'),
            ref('user_roles.assigned_at'),
            ref('roles.permissions'),
          ]).as('roles'),
        )
        .as('roles'),
    )
    .limit(sql.lit(1));
}

type AccountRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof accountRow>['executeTakeFirst']>>
>;

/** The account out of its row. */
export function accountOf(row: AccountRow): Account {
  return {
    user: userOf(row),
    roles: grantOf(heldRoles(row.roles ?? '[]')),
    isTotpEnabled: Number(row.is_totp_enabled) === 1,
  };
}

function heldRoles(json: string): HeldRole[] {
  const rows: [string, number, string][] = JSON.parse(json);
  return rows.map(([role_name, assigned_at, permissions]) => ({
    role_name,
    assigned_at,
    permissions,
  }));
}

/** Who holds which role. */
export function userRoleStore(db: Db) {
  return {
    /** False if the user holds the role already, or there is no such role. */
    async assign(userId: string, roleName: string): Promise<boolean> {
      const role = await db
        .selectFrom('roles')
        .select('name')
        .where('name', '=', roleName)
        .executeTakeFirst();
      if (!role) return false;
      const row = { user_id: userId, role_name: roleName, assigned_at: now() };
      return insertUnlessTaken(db.insertInto('user_roles').values(row));
    },

    /** True if any user holds the role. */
    async isHeld(roleName: string): Promise<boolean> {
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

export type UserRoleStore = ReturnType<typeof userRoleStore>;
