import * as z from 'zod';
import { refuse } from '../../http/errors.js';
import { type Route, Success, Time } from '../../http/route.js';
import { defaultRole } from '../../policy.js';
import type { Services } from '../../services.js';
import { hasPermission, openAccount } from '../../users/account.js';
import type { User } from '../../users/user.js';
import { exportDataOf, PERSON } from '../data-export/feature.js';
import { type FilteredPage, ListQuery, list } from './list.js';
import { NewUserBody, prepareCredential } from './new-user.js';
import { accountInPath, findManageableUser, requireAll } from './privilege.js';
import { auditEntryOf, get, post, put } from './route.js';

const UserView = z.object({
  id: z.string(),
  email: z.string(),
  isEmailVerified: z.boolean(),
  isDisabled: z.boolean(),
  loginProvider: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  roles: z.array(z.string()),
  createdAt: Time,
});

export type UserView = z.output<typeof UserView>;

/** A user as an administrator sees them. */
function userView(user: User, roles: string[]): UserView {
  const isEmailVerified = user.emailVerifiedAt !== null;
  const isDisabled = user.disabledAt !== null;
  return UserView.parse({ ...user, isEmailVerified, isDisabled, roles });
}

/** `true` or `false`, as query strings have it. */
const flag = z
  .enum(['true', '1', 'false', '0'])
  .transform((text) => text === 'true' || text === '1')
  .optional();

const UsersQuery = ListQuery.extend({
  disabled: flag,
  unverified: flag,
  role: z.string().max(64).optional(),
});

export type UsersPage = FilteredPage & z.output<typeof UsersQuery>;

const OneUser = z.object({ user: UserView });
const Metadata = z.object({ metadata: z.record(z.string(), z.unknown()) });
const READ = { permission: 'users:read' };
const WRITE = { permission: 'users:write' };

export const userRoutes: Route[] = [
  list('/users', {
    summary: 'List users',
    ...READ,
    query: UsersQuery,
    of: 'users',
    item: UserView,
    read: async ({ query, services }) => {
      const { items, rest } = await services.admin.listUsers(query);
      return { items: items.map(({ user, roles }) => userView(user, roles.names)), rest };
    },
  }),

  post('/users', {
    summary: 'Create a user',
    ...WRITE,
    status: 201,
    body: NewUserBody,
    reply: OneUser,
    errors: ['USER_EXISTS', 'ROLE_NOT_FOUND'],
    waits: true,
    handle: async ({ body, caller, cause, commit, services }) => {
      const role = await services.roles.find(body.role ?? defaultRole);
      if (!role) throw refuse('ROLE_NOT_FOUND');
      requireAll(caller, body.role ? [...role.permissions, 'roles:write'] : role.permissions);
      const addCredential = await prepareCredential(services, body);
      const create = async (tx: Services) => {
        // It may have been deleted meanwhile.
        if (!(await tx.roles.find(role.name))) throw refuse('ROLE_NOT_FOUND');
        const newUser = { email: body.email, loginProvider: 'local', role: role.name };
        const created = await openAccount(tx, newUser, cause, addCredential);
        if (!created) throw refuse('USER_EXISTS');
        const subject = { ...cause, userId: created.id };
        if (body.role) tx.events.publish('identity.role.assigned', { role: body.role }, subject);
        return created;
      };
      const user = await commit(create, ({ id }) => id);
      return { body: { user: userView(user, [role.name]) } };
    },
  }),

  get('/users/{id}', {
    summary: 'Read a user',
    ...READ,
    reply: OneUser,
    errors: ['NOT_FOUND'],
    handle: async (call) => {
      const { user, roles } = await accountInPath(call);
      return { body: { user: userView(user, roles.names) } };
    },
  }),

  get('/users/{id}/export', {
    summary: 'Export all data stored about a user',
    ...READ,
    reply: z.object({ user: z.string(), data: z.record(z.string(), z.unknown()) }),
    errors: ['NOT_FOUND'],
    handle: async (call) => {
      const { id = '' } = call.params;
      const mayReadLog = hasPermission(call.caller, 'audit:read');
      const data = await exportDataOf(call.services, id, mayReadLog ? PERSON : ['user_id']);
      if (!data) throw refuse('NOT_FOUND');
      for (const { exportPermissions = {} } of call.services.features) {
        for (const [table, permission] of Object.entries(exportPermissions)) {
          if (!hasPermission(call.caller, permission)) delete data[table];
        }
      }
      // Copying somebody's data leaves a trace.
      await call.services.auditLog.append(auditEntryOf('/users/{id}/export', id, call));
      const headers = { 'content-disposition': `attachment; filename="user-${id}.json"` };
      return { body: { user: id, data }, headers };
    },
  }),

  get('/users/{id}/metadata', {
    summary: 'Read the metadata of a user',
    ...READ,
    reply: Metadata,
    errors: ['NOT_FOUND'],
    handle: async (call) => {
      const { user } = await accountInPath(call);
      return { body: { metadata: user.metadata } };
    },
  }),

  put('/users/{id}/metadata', {
    summary: 'Replace the metadata of a user',
    ...WRITE,
    // As a field, so that no value gets into the audit log, whatever its name.
    body: z.record(z.string().min(1).max(64), z.json()).transform((metadata) => ({ metadata })),
    reply: Success.extend(Metadata.shape),
    errors: ['NOT_FOUND'],
    handle: async (call) => {
      const { metadata } = call.body;
      const { id } = await findManageableUser(call);
      await call.services.users.updateMetadata(id, metadata);
      call.details.fields = Object.keys(metadata);
      return { body: { success: true, metadata } };
    },
  }),
];
