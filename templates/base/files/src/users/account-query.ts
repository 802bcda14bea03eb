import type { Db } from '../db/schema.js';
import type { Account } from '../session/caller.js';
import { isTotpEnabled } from './is-totp-enabled.js';
import { grantOf } from './role-grant.js';
import { userOf } from './user.js';

/** A user joined with each role: one row a role, or one row without. Further joins and conditions follow. */
export function accountRows(db: Db) {
  return db
    .selectFrom('users')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .leftJoin('roles', 'roles.name', 'user_roles.role_name')
    .select([
      'users.id',
      'users.email',
      'users.email_verified_at',
      'users.login_provider',
      'users.metadata',
      'users.disabled_at',
      'users.created_at',
      'user_roles.role_name',
      'user_roles.assigned_at',
      'roles.permissions',
      isTotpEnabled().as('is_totp_enabled'),
    ]);
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof accountRows>['execute']>>[number];

/** The account out of its rows; undefined if there are none. */
export function accountOf(rows: AccountRow[]): Account | undefined {
  const [first] = rows;
  if (!first) return undefined;
  return {
    user: userOf(first),
    roles: grantOf(rows),
    isTotpEnabled: Number(first.is_totp_enabled) === 1,
  };
}
