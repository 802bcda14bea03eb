import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { refuse } from '../../http/errors.js';
import { refusalOf } from '../../http/response.js';
import type { Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import { disableUser } from '../../session/end-session.js';
import { deleteUser, requireOtherAdministrator } from '../user-deletion/feature.js';
import { findManageableUser } from './privilege.js';
import { type ActCall, del, post } from './route.js';

const ACTS = ['disable', 'enable', 'delete'] as const;
const MOST_AT_ONCE = 100;
const BulkResult = z.object({
  id: z.string(),
  success: z.boolean(),
  error: z.string().optional(),
  code: z.string().optional(),
});

type UserCall = Pick<ActCall<unknown, unknown>, 'params' | 'caller' | 'cause' | 'services'>;

/** Actions of administrators on the user in the path. Each throws NOT_FOUND, FORBIDDEN, LAST_ADMIN. */
const acts = {
  async disable(call: UserCall): Promise<undefined> {
    const { id } = await findManageableUser(call);
    await requireOtherAdministrator(call.services, id);
    await disableUser(call.services, id, call.cause);
  },

  async enable(call: UserCall): Promise<undefined> {
    const { id } = await findManageableUser(call);
    await call.services.users.setDisabled(id, null);
  },

  async delete(call: UserCall): Promise<undefined> {
    const { id } = await findManageableUser(call);
    if (!(await deleteUser(call.services, id, 'admin', call.cause))) throw refuse('NOT_FOUND');
  },
};

/** Acts on one of several users, in a transaction of its own, so that a refusal does not undo the others. */
async function actOn<Body>(
  id: string,
  act: (typeof ACTS)[number],
  { caller, cause, commit, services }: ActCall<Body, unknown>,
): Promise<z.infer<typeof BulkResult>> {
  try {
    const run = (tx: Services) => acts[act]({ params: { id }, caller, cause, services: tx });
    await commit(run, () => id);
    return { id, success: true };
  } catch (error) {
    const { code } = refusalOf(error);
    if (code === 'INTERNAL') throw error;
    return { id, success: false, error: services.errors[code]?.[1], code };
  }
}

export const userActRoutes: Route[] = [
  del('/users/{id}', {
    summary: 'Delete a user and all that belongs to them',
    permission: 'users:write',
    errors: ['NOT_FOUND', 'LAST_ADMIN'],
    handle: acts.delete,
  }),

  post('/users/{id}/disable', {
    summary: 'Disable a user and end their sessions at once',
    permission: 'users:write',
    errors: ['NOT_FOUND', 'LAST_ADMIN'],
    handle: acts.disable,
  }),

  post('/users/{id}/enable', {
    summary: 'Enable a disabled user',
    permission: 'users:write',
    errors: ['NOT_FOUND'],
    handle: acts.enable,
  }),

  post('/users/bulk', {
    summary: 'Disable, enable or delete up to 100 users, with a result for each',
    permission: 'users:write',
    body: z.object({ ids: z.array(z.string()).min(1).max(MOST_AT_ONCE), act: z.enum(ACTS) }),
    reply: z.object({ success: z.literal(true), results: z.array(BulkResult) }),
    waits: true,
    handle: async (call) => {
      const { ids, act } = call.body;
      const results: z.infer<typeof BulkResult>[] = [];
      for (const id of new Set(ids)) {
        results.push(await actOn(id, act, call));
        await setImmediate();
      }
      return { body: { success: true, results } };
    },
  }),
];
