import { z } from 'zod';
import { refuse } from '../../http/errors.js';
import { Success } from '../../session/views.js';
import { ADMIN_ROLE } from '../../users/role-grant.js';
import { ListPage, pageOf } from '../admin/list-page.js';
import { del, get, post, put } from '../admin/route.js';
import { findUser } from '../admin/users/find-user.js';
import { deleteRole, giveRole, takeRole } from './give-role.js';
import { isProtected, permissionList, type Role, roleNameField } from './role.js';
import { requireOtherAdministrator, requireWithinOwn } from './within-own.js';

const RoleView = z.object({ name: z.string(), permissions: z.array(z.string()) });
const RoleList = z.object({ roles: z.array(RoleView), total: z.number() });
const OneRole = z.object({ role: RoleView });
const READ = { permission: 'roles:read' };
const WRITE = { permission: 'roles:write' };

export const adminRoutes = [
  get(
    '/roles',
    { summary: 'List roles', ...READ, query: ListPage, reply: RoleList },
    async ({ query, services }) => ({ body: await services.roles.list(query) }),
  ),

  post(
    '/roles',
    {
      summary: 'Create a role',
      ...WRITE,
      status: 201,
      body: z.object({ name: roleNameField, permissions: permissionList }),
      reply: OneRole,
      errors: ['ROLE_EXISTS'],
    },
    async ({ body, caller, services }) => {
      requireWithinOwn(caller, body.permissions);
      if (!(await services.roles.create(body))) throw refuse('ROLE_EXISTS');
      return { body: { role: body } };
    },
  ),

  put(
    '/roles/{name}',
    {
      summary: 'Replace the permissions of a role',
      ...WRITE,
      body: z.object({ permissions: permissionList }),
      reply: Success.extend(OneRole.shape),
      errors: ['ROLE_NOT_FOUND', 'ROLE_PROTECTED'],
    },
    async ({ body, caller, params, services }) => {
      const role = changeable(await services.roles.find(params.name ?? ''));
      requireWithinOwn(caller, [...role.permissions, ...body.permissions]);
      const changed = { ...role, permissions: body.permissions };
      await services.roles.setPermissions(changed);
      return { body: { success: true, role: changed } };
    },
  ),

  del(
    '/roles/{name}',
    {
      summary: 'Delete a role and take it from all who hold it',
      ...WRITE,
      reply: Success,
      errors: ['ROLE_NOT_FOUND', 'ROLE_PROTECTED'],
    },
    async ({ caller, params, request, services }) => {
      const role = changeable(await services.roles.find(params.name ?? ''));
      requireWithinOwn(caller, role.permissions);
      await deleteRole(services, role.name, { actorId: caller.user.id, request });
      return { body: { success: true } };
    },
  ),

  get(
    '/users/{id}/roles',
    {
      summary: 'The roles of a user',
      ...READ,
      query: ListPage,
      reply: RoleList,
      errors: ['NOT_FOUND'],
    },
    async ({ params, query, services }) => {
      const { id } = await findUser(services, params);
      const held = await services.roles.listOfUser(id);
      const { items, total } = pageOf(held, query, ({ name }) => [name]);
      return { body: { roles: items, total } };
    },
  ),

  post(
    '/users/{id}/roles',
    {
      summary: 'Give a role to a user',
      ...WRITE,
      body: z.object({ role: roleNameField }),
      reply: Success,
      errors: ['NOT_FOUND', 'ROLE_NOT_FOUND'],
    },
    async ({ body, caller, params, request, services }) => {
      const { id } = await findUser(services, params);
      const role = await services.roles.find(body.role);
      if (!role) throw refuse('ROLE_NOT_FOUND');
      requireWithinOwn(caller, role.permissions);
      await giveRole(services, id, role.name, { actorId: caller.user.id, request });
      return { body: { success: true } };
    },
  ),

  del(
    '/users/{id}/roles/{name}',
    {
      summary: 'Take a role from a user',
      ...WRITE,
      reply: Success,
      errors: ['NOT_FOUND', 'ROLE_NOT_FOUND', 'LAST_ADMINISTRATOR'],
    },
    async ({ caller, params, request, services }) => {
      const { id } = await findUser(services, params);
      const held = await services.roles.listOfUser(id);
      const role = held.find(({ name }) => name === params.name);
      if (!role) throw refuse('ROLE_NOT_FOUND');
      requireWithinOwn(caller, role.permissions);
      if (role.name === ADMIN_ROLE) await requireOtherAdministrator(services, id);
      await takeRole(services, id, role.name, { actorId: caller.user.id, request });
      return { body: { success: true } };
    },
  ),
];

function changeable(role: Role | undefined): Role {
  if (!role) throw refuse('ROLE_NOT_FOUND');
  if (isProtected(role.name)) throw refuse('ROLE_PROTECTED');
  return role;
}
