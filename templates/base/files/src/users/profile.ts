import { z } from 'zod';
import type { Account } from '../session/caller.js';

/** The answer of GET /me: all nine fields, always. */
export const Profile = z.object({
  sub: z.string(),
  email: z.string(),
  role: z.string(),
  loginProvider: z.string(),
  isEmailVerified: z.boolean(),
  isTotpEnabled: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
});

/** An account as its owner sees it. */
export function profileOf(account: Account): z.infer<typeof Profile> {
  const { user, roles } = account;
  return {
    sub: user.id,
    email: user.email,
    role: roles.primary,
    loginProvider: user.loginProvider,
    isEmailVerified: user.emailVerifiedAt !== null,
    isTotpEnabled: account.isTotpEnabled,
    metadata: user.metadata,
    roles: roles.names,
    permissions: roles.permissions,
  };
}

/** An emptied field of a form is an empty text: it clears the name as null does. */
const nameField = z
  .string()
  .trim()
  .max(200)
  .transform((name) => (name === '' ? null : name))
  .nullable()
  .optional();

/** The fields that a user may change of their own profile; null clears one. */
export const ProfileChange = z.object({
  firstName: nameField,
  lastName: nameField,
  name: nameField,
});

/** The metadata after a change: absent fields stay, null ones go. */
export function applyProfileChange(
  metadata: Record<string, unknown>,
  change: z.infer<typeof ProfileChange>,
): Record<string, unknown> {
  const next = { ...metadata };
  for (const [field, value] of Object.entries(change)) {
    if (value === null) delete next[field];
    else if (value !== undefined) next[field] = value;
  }
  return next;
}
