import {
  deleteRole,
  giveRole,
  isProtected,
  permissionList,
  roleNameField,
  takeRole,
} from '../features/roles/feature.js';
import type { Role } from '../features/roles/store.js';
import type { Services } from '../services.js';
import type { User } from '../users/user.js';
import { onlyEmail } from './administrators.js';
import { print, runCommand, withServices } from './command.js';

const USAGE = `Usage: npm run roles -- <command>

  list
      lists all roles with their permissions
  save <role> <resource:action>...
      creates a role, or replaces its permissions
  delete <role>
      deletes a role and takes it from all who hold it
  give <role> <email>, take <role> <email>
      gives a role to an account, or takes it away`;

/** Each returns what is printed. */
const actions: Record<string, (services: Services, args: string[]) => Promise<string>> = {
  async list({ roles }) {
    const all = await roles.list({ limit: Number.MAX_SAFE_INTEGER, offset: 0 });
    return all.roles.map(lineOf).join('\n');
  },

  async save({ roles }, [name, ...permissions]) {
    const role = { name: changeable(name), permissions: permissionsOf(permissions) };
    if (!(await roles.create(role))) await roles.setPermissions(role);
    return lineOf(role);
  },

  async delete(services, [name]) {
    const role = changeable(name);
    if (!(await deleteRole(services, role, {}))) throw new Error(`There is no role ${role}.`);
    return `${role} is deleted.`;
  },

  async give(services, [role = '', ...rest]) {
    const user = await userNamed(services, rest);
    if (!(await services.roles.find(role))) throw new Error(`There is no role ${role}.`);
    const isNew = await giveRole(services, user.id, role, {});
    return `${user.email} has the role ${role} ${isNew ? 'now' : 'already'}.`;
  },

  async take(services, [role = '', ...rest]) {
    const user = await userNamed(services, rest);
    const wasHeld = await takeRole(services, user.id, role, {});
    return `${user.email} ${wasHeld ? 'no longer has' : 'does not have'} the role ${role}.`;
  },
};

await runCommand(async ([action = '--help', ...args]) => {
  if ([action, ...args].some((arg) => arg === '--help' || arg === '-h')) return print(USAGE);
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!act) throw new Error(`Unknown command.\n\n${USAGE}`);
  await withServices(async (services) => print(await act(services, args)));
});

function lineOf({ name, permissions }: Role): string {
  return [name, ...permissions].join('  ');
}

function changeable(name: string | undefined): string {
  const parsed = roleNameField.safeParse(name);
  if (!parsed.success)
    throw new Error('A role has a name of lower-case letters, digits and hyphens.');
  if (isProtected(parsed.data)) throw new Error(`The role ${parsed.data} cannot be changed.`);
  return parsed.data;
}

function permissionsOf(permissions: string[]): string[] {
  const parsed = permissionList.safeParse(permissions);
  if (!parsed.success) throw new Error('A permission is written <resource>:<action>.');
  return parsed.data;
}

async function userNamed(services: Services, args: string[]): Promise<User> {
  const email = onlyEmail(args);
  const user = await services.users.findByEmail(email);
  if (!user) throw new Error(`There is no account with the address ${email}.`);
  return user;
}
