import { sql } from 'kysely';
import { jsonRows } from '../db/json-rows.js';
import type { Db } from '../db/schema.js';
import type { Account } from '../session/caller.js';
import { isTotpEnabled } from './is-totp-enabled.js';
import { grantOf, type HeldRole } from './role-grant.js';
import { userOf } from './user.js';

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
