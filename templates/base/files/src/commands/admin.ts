import type { Services } from '../services.js';
import { disableAccount, enableAccount, listUsers, promoteUser } from './administrators.js';
import { print, runCommand, withServices } from './command.js';
import { createAdmin, createUsage } from './create-admin.js';

const USAGE = `Usage: npm run admin -- <command>

  ${createUsage}
  promote <email>
      gives the role admin to an account that exists
  disable <email>, enable <email>
      ends the sessions of an account and lets nobody sign in to it, or takes that back
  list [<part of an address>]
      lists all accounts, or those whose address has the part, the oldest first`;

const actions: Record<string, (services: Services, args: string[]) => Promise<void>> = {
  create: createAdmin,
  promote: promoteUser,
  disable: disableAccount,
  enable: enableAccount,
  list: listUsers,
};

await runCommand(async ([action = '--help', ...args]) => {
  if ([action, ...args].some((arg) => arg === '--help' || arg === '-h')) return print(USAGE);
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!act) throw new Error(`There is no such command.\n\n${USAGE}`);
  await withServices((services) => act(services, args));
});
