import { z } from 'zod';
import { ADMIN_ROLE } from '../../users/role-grant.js';

/** A role and what it allows. */
export interface Role {
  name: string;
  /** `<resource>:<action>`; either part may be `*`. */
  permissions: string[];
}

/** The roles that the service itself relies on: they cannot be changed or deleted. */
const PROTECTED = new Set([ADMIN_ROLE, 'user']);

export const roleNameField = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'Lower-case letters, digits and hyphens, 64 at most.');

export const permissionList = z
  .array(z.string().regex(/^(\*|[a-z][\w-]{0,63}):(\*|[a-z][\w-]{0,63})$/, '<resource>:<action>'))
  .max(200)
  .transform((permissions) => [...new Set(permissions)].sort());

/** True for a role that the service relies on. */
export function isProtected(role: string): boolean {
  return PROTECTED.has(role);
}
