import { parseArgs } from 'node:util';
import type { Services } from '../services.js';
import { disableUser } from '../users/disable-user.js';
import type { User } from '../users/user.js';
import { onlyEmail } from './add-admin.js';
import { print } from './run-command.js';

/** `admin disable <email>`: ends all sessions, and lets nobody sign in. Throws if there is no such account. */
export async function disableAccount(services: Services, args: string[]): Promise<void> {
  const { id, email } = await userNamed(services, args);
  const isNew = await disableUser(services, id, {});
  print(`${email} is disabled ${isNew ? 'now' : 'already'}.`);
}

/** `admin enable <email>`. Throws if there is no such account. */
export async function enableAccount(services: Services, args: string[]): Promise<void> {
  const { id, email } = await userNamed(services, args);
  const isNew = await services.users.setDisabled(id, null);
  print(`${email} is enabled ${isNew ? 'now' : 'already'}.`);
}

async function userNamed(services: Services, args: string[]): Promise<User> {
  const email = onlyEmail(parseArgs({ args, allowPositionals: true }).positionals);
  const user = await services.users.findByEmail(email);
  if (!user) throw new Error(`There is no account with the address ${email}.`);
  return user;
}
