import { giveRole, deleteRole as removeRole, takeRole } from '../features/roles/give-role.js';
import { isProtected, permissionList, roleNameField } from '../features/roles/role.js';
import type { Services } from '../services.js';
import type { User } from '../users/user.js';
import { onlyEmail } from './add-admin.js';
import { print, runCommand } from './run-command.js';
import { withServices } from './with-services.js';

const USAGE = `Usage: npm run roles -- <command>

  list
      lists all roles with their permissions
  save <role> <resource:action>...
      creates a role, or replaces its permissions
  delete <role>
      deletes a role and takes it from all who hold it
  give <role> <email>, take <role> <email>
      gives a role to an account, or takes it away`;

const actions: Record<string, (services: Services, args: string[]) => Promise<void>> = {
  list: listRoles,
  save: saveRole,
  delete: deleteRole,
  give,
  take,
};

await runCommand(async ([action = '--help', ...args]) => {
  if ([action, ...args].some((arg) => arg === '--help' || arg === '-h')) return print(USAGE);
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!act) throw new Error(`There is no such command.\n\n${USAGE}`);
  await withServices((services) => act(services, args));
});

async function listRoles({ roles }: Services): Promise<void> {
  const all = await roles.list({ limit: Number.MAX_SAFE_INTEGER, offset: 0 });
  for (const { name, permissions } of all.roles) print([name, ...permissions].join('  '));
}

async function saveRole({ roles }: Services, [name, ...permissions]: string[]): Promise<void> {
  const role = { name: changeable(name), permissions: permissionsOf(permissions) };
  if (!(await roles.create(role))) await roles.setPermissions(role);
  print([role.name, ...role.permissions].join('  '));
}

async function deleteRole(services: Services, [name]: string[]): Promise<void> {
  const role = changeable(name);
  if (!(await removeRole(services, role, {}))) throw new Error(`There is no role ${role}.`);
  print(`${role} is deleted.`);
}

async function give(services: Services, [role = '', ...rest]: string[]): Promise<void> {
  const user = await userNamed(services, rest);
  if (!(await services.roles.find(role))) throw new Error(`There is no role ${role}.`);
  const isNew = await giveRole(services, user.id, role, {});
  print(`${user.email} has the role ${role} ${isNew ? 'now' : 'already'}.`);
}

async function take(services: Services, [role = '', ...rest]: string[]): Promise<void> {
  const user = await userNamed(services, rest);
  const wasHeld = await takeRole(services, user.id, role, {});
  print(`${user.email} ${wasHeld ? 'no longer has' : 'does not have'} the role ${role}.`);
}

function changeable(name: string | undefined): string {
  const parsed = roleNameField.safeParse(name);
  if (!parsed.success)
    throw new Error('A role has a name of lower-case letters, digits and hyphens.');
  if (isProtected(parsed.data)) throw new Error(`The service relies on the role ${parsed.data}.`);
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
