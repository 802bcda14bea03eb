import * as z from 'zod';
import { refuse } from '../../http/errors.js';
import { type Route, Success } from '../../http/route.js';
import type { Services } from '../../services.js';
import { ADMIN_ROLE, giveRole } from '../../users/account.js';
import {
  deleteRole,
  isProtected,
  permissionList,
  type Role,
  roleNameField,
  takeRole,
} from '../roles/feature.js';
import { requireOtherAdministrator } from '../user-deletion/feature.js';
import { list, pageOf } from './list.js';
import { accountInPath, findManageableUser, requireAll } from './privilege.js';
import { del, post, put } from './route.js';

const RoleView = z.object({ name: z.string(), permissions: z.array(z.string()) });
const OneRole = z.object({ role: RoleView });
const ROLES = { permission: 'roles:read', of: 'roles', item: RoleView };
const WRITE = { permission: 'roles:write' };

export const roleRoutes: Route[] = [
  list('/roles', {
    summary: 'List roles',
    ...ROLES,
    read: async ({ query, services }) =>
      pageOf(await services.roles.list(), query, ({ name }) => [name]),
  }),

  post('/roles', {
    summary: 'Create a role',
    ...WRITE,
    status: 201,
    body: z.object({ name: roleNameField, permissions: permissionList }),
    reply: OneRole,
    errors: ['ROLE_EXISTS'],
    waits: true,
    handle: async ({ body, caller, commit }) => {
      requireAll(caller, body.permissions);
      const save = async ({ roles }: Services) => {
        if (!(await roles.create(body))) throw refuse('ROLE_EXISTS');
      };
      await commit(save, () => body.name);
      return { body: { role: body } };
    },
  }),

  put('/roles/{name}', {
    summary: 'Replace the permissions of a role',
    ...WRITE,
    body: z.object({ permissions: permissionList }),
    reply: Success.extend(OneRole.shape),
    errors: ['ROLE_NOT_FOUND', 'ROLE_PROTECTED'],
    handle: async ({ body, caller, params, services }) => {
      const role = await lockChangeable(services, params.name);
      requireAll(caller, [...role.permissions, ...body.permissions]);
      const changed = { ...role, permissions: body.permissions };
      await services.roles.setPermissions(changed);
      return { body: { success: true, role: changed } };
    },
  }),

  del('/roles/{name}', {
    summary: 'Delete a role and take it from all who hold it',
    ...WRITE,
    errors: ['ROLE_NOT_FOUND', 'ROLE_PROTECTED'],
    handle: async ({ caller, cause, params, services }) => {
      const role = await lockChangeable(services, params.name);
      requireAll(caller, role.permissions);
      await deleteRole(services, role.name, cause);
    },
  }),

  list('/users/{id}/roles', {
    summary: 'List the roles of a user',
    ...ROLES,
    errors: ['NOT_FOUND'],
    read: async (call) => {
      const { names } = (await accountInPath(call)).roles;
      const all = await call.services.roles.list();
      const held = names.flatMap((name) => all.find((role) => role.name === name) ?? []);
      return pageOf(held, call.query, ({ name }) => [name]);
    },
  }),

  post('/users/{id}/roles', {
    summary: 'Give a role to a user',
    ...WRITE,
    body: z.object({ role: roleNameField }),
    errors: ['NOT_FOUND', 'ROLE_NOT_FOUND'],
    handle: async (call) => {
      const { id } = await findManageableUser(call);
      const role = await call.services.roles.find(call.body.role);
      if (!role) throw refuse('ROLE_NOT_FOUND');
      requireAll(call.caller, role.permissions);
      await giveRole(call.services, id, role.name, call.cause);
    },
  }),

  del('/users/{id}/roles/{name}', {
    summary: 'Take a role from a user',
    ...WRITE,
    errors: ['NOT_FOUND', 'ROLE_NOT_FOUND', 'LAST_ADMIN'],
    handle: async (call) => {
      const { id } = await findManageableUser(call);
      const role = call.params.name ?? '';
      if (role === ADMIN_ROLE) await requireOtherAdministrator(call.services, id);
      if (!(await takeRole(call.services, id, role, call.cause))) throw refuse('ROLE_NOT_FOUND');
    },
  }),
];

/** The role as it stays until the transaction ends: whoever changes it must hold all that it allows. */
async function lockChangeable({ roles }: Services, name = ''): Promise<Role> {
  if (isProtected(name)) throw refuse('ROLE_PROTECTED');
  const role = await roles.lock(name);
  if (!role) throw refuse('ROLE_NOT_FOUND');
  return role;
}
