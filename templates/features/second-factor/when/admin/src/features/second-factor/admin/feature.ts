import { z } from 'zod';
import { defineFeature } from '../../../feature.js';
import { Success } from '../../../http/replies.js';
import type { Route } from '../../../http/route.js';
import { adminPrefix } from '../../admin/feature.js';
import { post } from '../../admin/route.js';
import { changeSetting } from '../../admin/settings.js';

export const secondFactorAdmin = defineFeature({
  prefix: adminPrefix,
  routes: (): Route[] => [
    post(
      '/2fa-policy',
      {
        summary: 'Require a second factor of all users, or stop requiring it',
        permission: 'settings:write',
        body: z.object({ required: z.boolean() }),
        reply: Success,
      },
      async (call) => {
        await changeSetting(call, 'require2FA', call.body.required);
        return { body: { success: true } };
      },
    ),
  ],
});
