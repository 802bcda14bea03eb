import { sql } from 'kysely';
import type { Db } from '../db/schema.js';
import { insertUnlessTaken, jsonRows } from '../db/sql.js';
import type { Cause } from '../events/bus.js';
import { refuse } from '../http/errors.js';
import { now } from '../process/clock.js';
import type { Services } from '../services.js';
import { isTotpEnabled } from './is-totp-enabled.js';
import { type NewUser, type User, userOf } from './user.js';

/** The role that holds every permission. */
export const ADMIN_ROLE = 'admin';
const ROLE_OF_NOBODY = 'user';

/** A role that a user holds. `permissions` is a JSON array. */
type HeldRole = [name: string, assignedAt: number, permissions: string];

/**
 * What the roles of a user allow together, as `<resource>:<action>`. Tokens and the profile name one role: `admin` if
 * held, else the earliest assigned; a user without any has the role `user` and no permissions.
 */
function grantOf(held: HeldRole[]) {
  // Two roles can be assigned in one millisecond; which of them is primary must not change from query to query.
  held.sort(([one, at], [other, otherAt]) => at - otherAt || (one < other ? -1 : 1));
  const names = held.map(([name]) => name);
  const permissions = held.flatMap(([, , json]): string[] => JSON.parse(json));
  return {
    primary: names.includes(ADMIN_ROLE) ? ADMIN_ROLE : (names[0] ?? ROLE_OF_NOBODY),
    names,
    permissions: [...new Set(permissions)].sort(),
  };
}

/** True if one of the account's permissions covers `<resource>:<action>`; `*` stands for any. */
export function hasPermission(account: Account, permission: string): boolean {
  const wanted = permission.split(':');
  return account.roles.permissions.some((each) => {
    const granted = each.split(':');
    const covers = (part: string, at: number) => part === '*' || part === wanted[at];
    return granted.length === wanted.length && granted.every(covers);
  });
}

export function requirePermission(account: Account, permission: string): void {
  if (!hasPermission(account, permission)) throw refuse('FORBIDDEN');
}

/** A user with their roles: at most one row, which the joins and conditions that follow must select. */
export function accountRow(db: Db) {
  return db
    .selectFrom('users')
    .selectAll('users')
    .select(isTotpEnabled().as('is_totp_enabled'))
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

export function accountOf(row: AccountRow) {
  return {
    user: userOf(row),
    roles: grantOf(JSON.parse(row.roles ?? '[]')),
    isTotpEnabled: Number(row.is_totp_enabled) === 1,
  };
}

export type Account = ReturnType<typeof accountOf>;

/**
 * Creates an account with a role in the transaction `tx`, and publishes that. `addCredential` adds
 * what its user signs in with. Undefined if the address is taken. Throws if there is no such role.
 */
export async function openAccount(
  tx: Services,
  newUser: NewUser & { role: string },
  cause: Cause,
  addCredential?: (tx: Services, userId: string) => Promise<void>,
): Promise<User | undefined> {
  const user = await tx.users.create(newUser);
  if (!user) return undefined;
  const { id: userId, email, loginProvider } = user;
  await addCredential?.(tx, userId);
  const hasRole = await tx.userRoles.assign(userId, newUser.role);
  if (!hasRole) throw new Error(`There is no role ${newUser.role}, which src/policy.ts gives.`);
  tx.events.publish('identity.user.created', { email, loginProvider }, { ...cause, userId });
  return user;
}

export async function giveRole(
  services: Services,
  userId: string,
  role: string,
  cause: Cause,
): Promise<boolean> {
  return services.transaction(async (tx) => {
    if (!(await tx.userRoles.assign(userId, role))) return false;
    tx.events.publish('identity.role.assigned', { role }, { ...cause, userId });
    return true;
  });
}

export function userRoleStore(db: Db) {
  return {
    /** False if the user holds the role already, or there is no such role. */
    async assign(userId: string, roleName: string): Promise<boolean> {
      const role = db.selectFrom('roles').select('name').where('name', '=', roleName);
      if (!(await role.executeTakeFirst())) return false;
      const row = { user_id: userId, role_name: roleName, assigned_at: now() };
      return insertUnlessTaken(db.insertInto('user_roles').values(row));
    },

    async isHeld(roleName: string): Promise<boolean> {
      const held = db.selectFrom('user_roles').select('user_id').where('role_name', '=', roleName);
      return (await held.limit(1).executeTakeFirst()) !== undefined;
    },
  };
}
