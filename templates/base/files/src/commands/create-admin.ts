import type { Services } from '../services.js';
import { addAdmin, adminDue, commitAdmin, onlyEmail } from './administrators.js';
import type { CommandCall } from './command.js';

export const createUsage = `create <email>
      makes an account that holds the role admin`;

/** `admin create <email>`. Throws if there is an account with that address. */
export async function createAdmin(call: CommandCall): Promise<void> {
  await commitAdmin(call, onlyEmail(call.args));
}

/** Makes the first administrator out of BOOTSTRAP_ADMIN_EMAIL if there is none. Called at every start. */
export async function bootstrapAdmin(services: Services): Promise<void> {
  const email = await adminDue(services);
  if (email) await addAdmin(services, email);
}
