import { clearedSessionCookies } from '../../http/cookies.js';
import { del } from '../../http/route.js';
import { Success } from '../../session/views.js';
import { deleteAccount } from './delete-account.js';

export const accountDeletionRoutes = [
  del(
    '/account',
    {
      summary: 'Delete the own account and all that belongs to it',
      access: 'fresh',
      reply: Success,
    },
    async ({ caller, request, services }) => {
      await deleteAccount(services, request, caller.user.id);
      return { body: { success: true }, cookies: clearedSessionCookies(services.config) };
    },
  ),
];
