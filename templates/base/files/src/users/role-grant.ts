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
