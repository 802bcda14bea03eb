import * as z from 'zod';
import type { Services } from '../../services.js';
import { emailField } from '../../users/user.js';
import { roleNameField } from '../roles/feature.js';

export const NewUserBody = z.object({ email: emailField, role: roleNameField.optional() });

/** Nothing to prepare: every sign-in method needs only the address. */
export async function prepareCredential(_services: Services, _body: z.infer<typeof NewUserBody>) {
  return async (_tx: Services, _userId: string): Promise<void> => {};
}
