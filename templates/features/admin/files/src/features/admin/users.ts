import { z } from 'zod';
import { refuse } from '../../http/errors.js';
import { Success } from '../../http/replies.js';
import type { Route } from '../../http/route.js';
import { defaultRole } from '../../policy.js';
import { disableUser } from '../../session/end-session.js';
import { openAccount } from '../../users/account.js';
import type { User } from '../../users/user.js';
import { deleteUser } from '../user-deletion/feature.js';
import { NewUserBody, prepareCredential } from './new-user.js';
import {
  findUser,
  findUserBelow,
  requireOtherAdministrator,
  requireWithinOwn,
} from './privilege.js';
import { del, get, ListPage, post, put } from './route.js';

const UserView = z.object({
  id: z.string(),
  email: z.string(),
  isEmailVerified: z.boolean(),
  isDisabled: z.boolean(),
  loginProvider: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  roles: z.array(z.string()),
  createdAt: z.iso.datetime(),
});

/** A user as an administrator sees them. */
function userView(user: User, roles: string[]): z.infer<typeof UserView> {
  return {
    id: user.id,
    email: user.email,
    isEmailVerified: user.emailVerifiedAt !== null,
    isDisabled: user.disabledAt !== null,
    loginProvider: user.loginProvider,
    metadata: user.metadata,
    roles,
    createdAt: new Date(user.createdAt).toISOString(),
  };
}

const OneUser = z.object({ user: UserView });
const Metadata = z.object({ metadata: z.record(z.string(), z.unknown()) });
const READ = { permission: 'users:read' };
const WRITE = { permission: 'users:write' };

export const userRoutes: Route[] = [
  get(
    '/users',
    {
      summary: 'List users',
      ...READ,
      query: ListPage,
      reply: z.object({ users: z.array(UserView), total: z.number() }),
    },
    async ({ query, services }) => {
      const { accounts, total } = await services.admin.listUsers(query);
      return {
        body: { users: accounts.map(({ user, roles }) => userView(user, roles.names)), total },
      };
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
    async ({ body, caller, cause, commit, services }) => {
      const role = await services.roles.find(body.role ?? defaultRole);
      if (!role) throw refuse('ROLE_NOT_FOUND');
      requireWithinOwn(caller, role.permissions);
      const addCredential = await prepareCredential(services, body);
      const user = await commit(async (tx) => {
        const newUser = { email: body.email, loginProvider: 'local', role: role.name };
        const created = await openAccount(tx, newUser, cause, addCredential);
        if (!created) throw refuse('USER_EXISTS');
        return created;
      });
      return { body: { user: userView(user, [role.name]) } };
    },
  ),

  get(
    '/users/{id}',
    { summary: 'Read a user', ...READ, reply: OneUser, errors: ['NOT_FOUND'] },
    async ({ params, services }) => {
      const account = await services.users.findAccount(params.id ?? '');
      if (!account) throw refuse('NOT_FOUND');
      return { body: { user: userView(account.user, account.roles.names) } };
    },
  ),

  del(
    '/users/{id}',
    {
      summary: 'Delete a user and all that belongs to them',
      ...WRITE,
      errors: ['NOT_FOUND', 'LAST_ADMINISTRATOR'],
    },
    async (call) => {
      const { id } = await findUserBelow(call);
      await requireOtherAdministrator(call.services, id);
      if (!(await deleteUser(call.services, id, 'admin', call.cause))) throw refuse('NOT_FOUND');
    },
  ),

  post(
    '/users/{id}/disable',
    {
      summary: 'Disable a user and end their sessions at once',
      ...WRITE,
      errors: ['NOT_FOUND', 'LAST_ADMINISTRATOR'],
    },
    async (call) => {
      const { id } = await findUserBelow(call);
      await requireOtherAdministrator(call.services, id);
      await disableUser(call.services, id, call.cause);
    },
  ),

  post(
    '/users/{id}/enable',
    { summary: 'Let a disabled user sign in again', ...WRITE, errors: ['NOT_FOUND'] },
    async (call) => {
      const { id } = await findUserBelow(call);
      await call.services.users.setDisabled(id, null);
    },
  ),

  get(
    '/users/{id}/metadata',
    { summary: 'Read the metadata of a user', ...READ, reply: Metadata, errors: ['NOT_FOUND'] },
    async (call) => {
      const { metadata } = await findUser(call);
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
    async (call) => {
      const { id } = await findUserBelow(call);
      await call.services.users.updateMetadata(id, call.body);
      return { body: { success: true, metadata: call.body } };
    },
  ),
];
