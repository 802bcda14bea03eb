import type { Services } from '../services.js';
import { createAdmin, createUsage } from './create-admin.js';
import { listUsers } from './list-users.js';
import { promoteUser } from './promote-user.js';
import { print, runCommand } from './run-command.js';
import { withServices } from './with-services.js';

const USAGE = `Usage: npm run admin -- <command>

  ${createUsage}
  promote <email>
      gives the role admin to an account that exists
  list
      lists all accounts, the oldest first`;

const actions: Record<string, (services: Services, args: string[]) => Promise<void>> = {
  create: createAdmin,
  promote: promoteUser,
  list: listUsers,
};

await runCommand(async ([action = '--help', ...args]) => {
  if ([action, ...args].some((arg) => arg === '--help' || arg === '-h')) return print(USAGE);
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!act) throw new Error(`There is no such command.\n\n${USAGE}`);
  await withServices((services) => act(services, args));
});
