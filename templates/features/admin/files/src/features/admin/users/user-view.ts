import { z } from 'zod';
import type { User } from '../../../users/user.js';

export const UserView = z.object({
  id: z.string(),
  email: z.string(),
  isEmailVerified: z.boolean(),
  isDisabled: z.boolean(),
  loginProvider: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  roles: z.array(z.string()),
  createdAt: z.iso.datetime(),
});

/** A user as an administrator sees them. */
export function userView(user: User, roles: string[]): z.infer<typeof UserView> {
  return {
    id: user.id,
    email: user.email,
    isEmailVerified: user.emailVerifiedAt !== null,
    isDisabled: user.disabledAt !== null,
    loginProvider: user.loginProvider,
    metadata: user.metadata,
    roles,
    createdAt: new Date(user.createdAt).toISOString(),
  };
}
