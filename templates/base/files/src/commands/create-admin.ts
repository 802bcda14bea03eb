import type { Services } from '../services.js';
import { onlyEmail } from './command.js';

export const createUsage = `create <email>
      creates an administrator`;

/** What the arguments of `admin create` ask for. */
export async function readNewAdmin(_services: Services, args: string[]) {
  return { email: onlyEmail(args) };
}

/** No credential for the first administrator: every way to sign in needs only the address. */
export async function bootstrapCredential(_services: Services, _email: string) {
  return undefined;
}
