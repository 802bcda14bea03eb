import { defineFeature } from '../../feature.js';
import { sessionCookie } from '../../http/cookies.js';
import { refuse } from '../../http/errors.js';
import { del, type Route } from '../../http/route.js';
import { cookiesToClear } from '../../session/end-session.js';
import { deleteUser } from '../user-deletion/feature.js';

export const accountDeletion = defineFeature({
  routes: (): Route[] => [
    del('/account', {
      summary: 'Delete your account and everything that belongs to it',
      access: 'strong',
      errors: ['LAST_ADMIN'],
      handle: async ({ caller, request, services }) => {
        const isDeleted = await services.transaction((tx) =>
          deleteUser(tx, caller.user.id, 'self', { request }),
        );
        if (!isDeleted) throw refuse('INVALID_TOKEN');
        const cookies = cookiesToClear(services, request);
        // It names the account; signing out keeps it.
        if (cookies.length > 0) cookies.push(sessionCookie(services.config, 'device', '', 0));
        return { body: { success: true }, cookies };
      },
    }),
  ],
});
