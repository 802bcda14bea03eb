import * as z from 'zod';
import type { Services } from '../../services.js';
import { emailField } from '../../users/user.js';
import { newPassword, passwordField, requirePasswordPolicy } from '../password/password.js';
import { roleNameField } from '../roles/feature.js';

/** Without a password, the user sets one by a reset link. */
export const NewUserBody = z.object({
  email: emailField,
  password: passwordField.optional(),
  role: roleNameField.optional(),
});

/** Prepares the user's password. Throws VALIDATION_FAILED if the policy refuses it. */
export async function prepareCredential(
  services: Services,
  { email, password }: z.infer<typeof NewUserBody>,
) {
  if (password === undefined) return undefined;
  await requirePasswordPolicy(password, 'password', { services, email });
  return newPassword(services, password);
}
