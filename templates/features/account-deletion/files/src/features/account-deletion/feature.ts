import { defineFeature } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { Success } from '../../http/replies.js';
import { del, type Route } from '../../http/route.js';
import { cookiesToClear } from '../../session/end-session.js';
import { deleteUser } from '../user-deletion/feature.js';

export const accountDeletion = defineFeature({
  routes: (): Route[] => [
    del(
      '/account',
      {
        summary: 'Delete your account and all that belongs to it',
        access: 'fresh',
        reply: Success,
      },
      async ({ caller, request, services }) => {
        const isDeleted = await deleteUser(services, caller.user.id, 'self', { request });
        if (!isDeleted) throw refuse('INVALID_TOKEN');
        return { body: { success: true }, cookies: cookiesToClear(services, request) };
      },
    ),
  ],
});
