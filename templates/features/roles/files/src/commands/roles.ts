import {
  deleteRole,
  isProtected,
  permissionList,
  type Role,
  roleNameField,
  takeRole,
} from '../features/roles/feature.js';
import type { Services } from '../services.js';
import { giveRole } from '../users/account.js';
import { accountNamed, print, runCommands, warnOfStranger } from './command.js';

const USAGE = `Usage: npm run roles -- <command>

  list
      lists all roles with their permissions
  save <role> <resource:action>...
      creates a role, or replaces its permissions
  delete <role>
      deletes a role and takes it from all who hold it
  give <role> <email>, take <role> <email>
      gives a role to an account, or takes it away`;

await runCommands('roles', USAGE, {
  async list({ services }) {
    for (const role of await services.roles.list()) print(lineOf(role));
  },

  async save({ args: [given, ...rest], commit }) {
    const name = changeable(given);
    const { data: permissions } = permissionList.safeParse(rest);
    if (!permissions?.length) throw new Error('Give permissions, each as <resource>:<action>.');
    const role = { name, permissions };
    await commit({ target: name, details: { permissions } }, async ({ roles }) => {
      return (await roles.create(role)) || roles.setPermissions(role);
    });
    print(lineOf(role));
  },

  async delete({ args: [name], commit }) {
    const role = changeable(name);
    const wasThere = await commit({ target: role }, (tx, cause) => deleteRole(tx, role, cause));
    if (!wasThere) throw new Error(`There is no role ${role}.`);
    print(`${role} is deleted.`);
  },

  async give({ services, args: [name, ...rest], commit }) {
    const role = await existing(services, name);
    const user = await accountNamed(services, rest);
    warnOfStranger(user);
    const { id, email } = user;
    const subject = { target: id, details: { role } };
    const isNew = await commit(subject, (tx, cause) => giveRole(tx, id, role, cause));
    print(`${email} ${isNew ? 'now' : 'already'} has the role ${role}.`);
  },

  async take({ services, args: [name, ...rest], commit }) {
    const role = await existing(services, name);
    const { id, email } = await accountNamed(services, rest);
    const subject = { target: id, details: { role } };
    const wasHeld = await commit(subject, (tx, cause) => takeRole(tx, id, role, cause));
    print(`${email} ${wasHeld ? 'no longer has' : 'does not have'} the role ${role}.`);
  },
});

function lineOf({ name, permissions }: Role): string {
  return [name, ...permissions].join('  ');
}

async function existing({ roles }: Services, name = ''): Promise<string> {
  if (!(await roles.find(name))) throw new Error(`There is no role ${name}.`);
  return name;
}

function changeable(name: string | undefined): string {
  const { data: role } = roleNameField.safeParse(name);
  if (!role) throw new Error('A role has a name of lower-case letters, digits and hyphens.');
  if (isProtected(role)) throw new Error(`The role ${role} cannot be changed.`);
  return role;
}
