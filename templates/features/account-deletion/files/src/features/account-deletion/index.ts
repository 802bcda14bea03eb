import { refuse } from '../../http/errors.js';
import { del } from '../../http/route.js';
import { cookiesToClear } from '../../session/logout.js';
import { Success } from '../../session/views.js';
import { deleteUser } from '../user-deletion/delete-user.js';

export const accountDeletionRoutes = [
  del(
    '/account',
    {
      summary: 'Delete the own account and all that belongs to it',
      access: 'fresh',
      reply: Success,
    },
    async ({ caller, request, services }) => {
      const isDeleted = await deleteUser(services, caller.user.id, 'self', { request });
      if (!isDeleted) throw refuse('INVALID_TOKEN');
      return { body: { success: true }, cookies: cookiesToClear(services, request) };
    },
  ),
];
