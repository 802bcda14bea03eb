import { z } from 'zod';
import { get, patch } from '../http/route.js';
import { changeProfile } from './change-profile.js';
import { Profile, ProfileChange, profileOf } from './profile.js';

const Success = z.object({ success: z.literal(true) });

export const usersRoutes = [
  get(
    '/me',
    { summary: 'The signed-in user', access: 'signed-in', reply: Profile },
    async ({ caller }) => ({ body: profileOf(caller) }),
  ),

  patch(
    '/profile',
    {
      summary: 'Change the own first, last or full name',
      access: 'signed-in',
      body: ProfileChange,
      reply: Success,
    },
    async ({ body, caller, services }) => {
      await changeProfile(services, caller.user.id, body);
      return { body: { success: true } };
    },
  ),
];
