import { z } from 'zod';
import type { Services } from '../../../services.js';
import { emailField } from '../../../users/email.js';
import { hashPassword } from '../../password/hash.js';
import { requireAcceptable } from '../../password/new-password.js';
import { passwordField } from '../../password/password-field.js';
import { roleNameField } from '../../roles/role.js';

/** What an administrator says of a new user. Without a password they set their first one by a reset link. */
export const NewUserBody = z.object({
  email: emailField,
  password: passwordField.optional(),
  role: roleNameField.optional(),
});

type Furnish = (services: Services, userId: string) => Promise<void>;

/** Prepares what the user signs in with. Throws VALIDATION_FAILED if the policy refuses the password. */
export async function prepareCredential(
  { config }: Services,
  { password }: z.infer<typeof NewUserBody>,
): Promise<Furnish> {
  if (password === undefined) return async () => {};
  await requireAcceptable(password, 'password');
  // Before the transaction, which would keep the database locked for as long as the hash takes.
  const hash = await hashPassword(password, config.BCRYPT_COST);
  return (services, userId) => services.password.save(userId, hash);
}
