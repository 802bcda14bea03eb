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
