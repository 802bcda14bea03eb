import * as z from 'zod';
import { defineFeature } from '../../../feature.js';
import type { Route } from '../../../http/route.js';
import { onOff } from '../../../process/environment.js';
import type { Factor } from '../../../session/reauthentication.js';
import { adminPrefix } from '../../admin/feature.js';
import { accountInPath, findManageableUser } from '../../admin/privilege.js';
import { get, post } from '../../admin/route.js';
import { changeSetting } from '../../admin/settings.js';
import { factorsOf } from '../challenge.js';
import { removableOf, resetFactors } from '../feature.js';

export const secondFactorAdmin = defineFeature({
  variables: {
    /** Absent: on in production. */
    ADMIN_2FA: onOff().optional(),
  },
  prefix: adminPrefix,
  routes: (): Route[] => [
    post('/2fa-policy', {
      summary: 'Require a second factor for all users, or stop requiring it',
      permission: 'settings:write',
      body: z.object({ required: z.boolean() }),
      handle: async (call) => {
        await changeSetting(call, 'require2FA', call.body.required);
      },
    }),

    get('/users/{id}/factors', {
      summary: 'List the second factors that a user has set up',
      permission: 'users:read',
      reply: z.object({ factors: z.array(z.string()) }),
      errors: ['NOT_FOUND'],
      handle: async (call) => {
        const account = await accountInPath(call);
        const removable = removableOf(call.services).map(({ factor }) => factor);
        const isRemovable = (factor: Factor) => removable.includes(factor);
        return { body: { factors: await factorsOf(call.services, account, isRemovable) } };
      },
    }),

    post('/users/{id}/factors/reset', {
      summary: 'Remove the second factors of a user who has lost them, and end their sessions',
      permission: 'users:write',
      errors: ['NOT_FOUND'],
      handle: async (call) => {
        await resetFactors(call.services, await findManageableUser(call), call.cause);
      },
    }),
  ],
});
