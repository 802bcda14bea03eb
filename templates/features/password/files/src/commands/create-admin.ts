import { parseArgs } from 'node:util';
import { hashPassword } from '../features/password/hash.js';
import { passwordField } from '../features/password/password-field.js';
import { passwordProblem } from '../policy.js';
import type { Services } from '../services.js';
import { addAdmin, adminDue, onlyEmail, reportAdmin } from './add-admin.js';
import { askPassword, readPassword } from './ask-password.js';

export const createUsage = `create <email> [--password-stdin]
      makes an account that holds the role admin; asks for its password, or reads it from stdin`;

/** `admin create <email>`. Throws if the password is refused or there is an account with that address. */
export async function createAdmin(services: Services, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    // A password is no argument: every user of the machine can read those, and shells keep them.
    options: { 'password-stdin': { type: 'boolean', default: false } },
  });
  const email = onlyEmail(positionals);
  const password = values['password-stdin'] ? await readPassword() : await askPassword();
  reportAdmin(email, await addWithPassword(services, email, password));
}

/**
 * Makes the first administrator out of BOOTSTRAP_ADMIN_EMAIL and _PASSWORD if there is none. Called
 * at every start. Without a password the account waits for its first reset link.
 */
export async function bootstrapAdmin(services: Services): Promise<void> {
  const email = await adminDue(services);
  if (!email) return;
  const password = services.config.BOOTSTRAP_ADMIN_PASSWORD;
  await (password ? addWithPassword(services, email, password) : addAdmin(services, email));
}

async function addWithPassword(services: Services, email: string, password: string) {
  const parsed = passwordField.safeParse(password);
  const problem = parsed.error?.issues[0]?.message ?? (await passwordProblem(password));
  if (problem) throw new Error(`This password is not possible. ${problem}`);
  // Before the transaction, which would keep the database locked for as long as the hash takes.
  const hash = await hashPassword(password, services.config.BCRYPT_COST);
  return addAdmin(services, email, (within, userId) => within.password.save(userId, hash));
}
