import { z } from 'zod';
import { refuse } from '../../../http/errors.js';
import { defaultRole } from '../../../policy.js';
import { Success } from '../../../session/views.js';
import { disableUser } from '../../../users/disable-user.js';
import {
  requireNotAbove,
  requireOtherAdministrator,
  requireWithinOwn,
} from '../../roles/within-own.js';
import { deleteUser } from '../../user-deletion/delete-user.js';
import { ListPage } from '../list-page.js';
import { del, get, post, put } from '../route.js';
import { findUser } from './find-user.js';
import { NewUserBody, prepareCredential } from './new-user.js';
import { UserView, userView } from './user-view.js';

const OneUser = z.object({ user: UserView });
const Metadata = z.object({ metadata: z.record(z.string(), z.unknown()) });
const READ = { permission: 'users:read' };
const WRITE = { permission: 'users:write' };
const LOCAL = 'local';

export const userRoutes = [
  get(
    '/users',
    {
      summary: 'List users',
      ...READ,
      query: ListPage,
      reply: z.object({ users: z.array(UserView), total: z.number() }),
    },
    async ({ query, services }) => {
      const { users, total } = await services.admin.listUsers(query);
      return { body: { users: users.map(({ user, roles }) => userView(user, roles)), total } };
    },
  ),

  post(
    '/users',
    {
      summary: 'Create a user',
      ...WRITE,
      status: 201,
      body: NewUserBody,
      reply: OneUser,
      errors: ['USER_EXISTS', 'ROLE_NOT_FOUND'],
      waits: true,
    },
    async ({ body, caller, commit, request, services }) => {
      const role = await services.roles.find(body.role ?? defaultRole);
      if (!role) throw refuse('ROLE_NOT_FOUND');
      requireWithinOwn(caller, role.permissions);
      const furnish = await prepareCredential(services, body);
      const user = await commit(async (inside) => {
        const created = await inside.users.create({ email: body.email, loginProvider: LOCAL });
        if (!created) throw refuse('USER_EXISTS');
        await furnish(inside, created.id);
        await inside.userRoles.assign(created.id, role.name);
        inside.events.publish(
          'identity.user.created',
          { email: created.email, loginProvider: LOCAL },
          { userId: created.id, actorId: caller.user.id, request },
        );
        return created;
      });
      return { body: { user: userView(user, [role.name]) } };
    },
  ),

  get(
    '/users/{id}',
    { summary: 'Read a user', ...READ, reply: OneUser, errors: ['NOT_FOUND'] },
    async ({ params, services }) => {
      const user = await findUser(services, params);
      const account = await services.users.findAccount(user.id);
      return { body: { user: userView(user, account?.roles.names ?? []) } };
    },
  ),

  del(
    '/users/{id}',
    {
      summary: 'Delete a user and all that belongs to them',
      ...WRITE,
      reply: Success,
      errors: ['NOT_FOUND', 'LAST_ADMINISTRATOR'],
    },
    async ({ caller, params, request, services }) => {
      const { id } = await findUser(services, params);
      await requireNotAbove(services, caller, id);
      await requireOtherAdministrator(services, id);
      const isDeleted = await deleteUser(services, id, 'admin', {
        actorId: caller.user.id,
        request,
      });
      if (!isDeleted) throw refuse('NOT_FOUND');
      return { body: { success: true } };
    },
  ),

  post(
    '/users/{id}/disable',
    {
      summary: 'Disable a user and end their sessions at once',
      ...WRITE,
      reply: Success,
      errors: ['NOT_FOUND', 'LAST_ADMINISTRATOR'],
    },
    async ({ caller, params, request, services }) => {
      const { id } = await findUser(services, params);
      await requireNotAbove(services, caller, id);
      await requireOtherAdministrator(services, id);
      await disableUser(services, id, { actorId: caller.user.id, request });
      return { body: { success: true } };
    },
  ),

  post(
    '/users/{id}/enable',
    {
      summary: 'Let a disabled user sign in again',
      ...WRITE,
      reply: Success,
      errors: ['NOT_FOUND'],
    },
    async ({ caller, params, services }) => {
      const { id } = await findUser(services, params);
      await requireNotAbove(services, caller, id);
      await services.users.setDisabled(id, null);
      return { body: { success: true } };
    },
  ),

  get(
    '/users/{id}/metadata',
    { summary: 'The metadata of a user', ...READ, reply: Metadata, errors: ['NOT_FOUND'] },
    async ({ params, services }) => {
      const { metadata } = await findUser(services, params);
      return { body: { metadata } };
    },
  ),

  put(
    '/users/{id}/metadata',
    {
      summary: 'Replace the metadata of a user',
      ...WRITE,
      body: z.record(z.string().min(1).max(64), z.json()),
      reply: Success.extend(Metadata.shape),
      errors: ['NOT_FOUND'],
    },
    async ({ body, caller, params, services }) => {
      const { id } = await findUser(services, params);
      await requireNotAbove(services, caller, id);
      await services.users.updateMetadata(id, body);
      return { body: { success: true, metadata: body } };
    },
  ),
];
