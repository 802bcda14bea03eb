import { z } from 'zod';
import type { Services } from '../../../services.js';
import { emailField } from '../../../users/email.js';
import { roleNameField } from '../../roles/role.js';

/** What an administrator says of a new user. */
export const NewUserBody = z.object({ email: emailField, role: roleNameField.optional() });

type Furnish = (services: Services, userId: string) => Promise<void>;

/** Prepares what the user signs in with: here nothing, since every method needs the address alone. */
export async function prepareCredential(
  _services: Services,
  _body: z.infer<typeof NewUserBody>,
): Promise<Furnish> {
  return async () => {};
}
