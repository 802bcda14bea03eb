import type { Services } from '../services.js';
import { createAdmin, createUsage } from './create-admin.js';
import { disableAccount, enableAccount } from './disable-user.js';
import { listUsers } from './list-users.js';
import { promoteUser } from './promote-user.js';
import { print, runCommand } from './run-command.js';
import { withServices } from './with-services.js';

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
