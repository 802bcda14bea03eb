import type { Services } from '../services.js';
import { addAdmin, adminDue, onlyEmail, reportAdmin } from './administrators.js';

export const createUsage = `create <email>
      makes an account that holds the role admin`;

/** `admin create <email>`. Throws if there is an account with that address. */
export async function createAdmin(services: Services, args: string[]): Promise<void> {
  const email = onlyEmail(args);
  reportAdmin(email, await addAdmin(services, email));
}

/** Makes the first administrator out of BOOTSTRAP_ADMIN_EMAIL if there is none. Called at every start. */
export async function bootstrapAdmin(services: Services): Promise<void> {
  const email = await adminDue(services);
  if (email) await addAdmin(services, email);
}
