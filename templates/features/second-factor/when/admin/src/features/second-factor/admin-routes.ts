import { z } from 'zod';
import { Success } from '../../session/views.js';
import { post } from '../admin/route.js';

export const adminRoutes = [
  post(
    '/2fa-policy',
    {
      summary: 'Demand a second factor of every user, or no longer',
      permission: 'settings:write',
      body: z.object({ required: z.boolean() }),
      reply: Success,
    },
    async ({ body, services }) => {
      await services.settings.set('require2FA', body.required);
      return { body: { success: true } };
    },
  ),
];
