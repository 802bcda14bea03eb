import { z } from 'zod';
import { defineAction } from '../action.js';

export const usersSessions = defineAction({
  id: 'users.sessions',
  label: 'Sessions of a user',
  category: 'Users',
  description: 'Lists the sessions of the user {id}.',
  dependsOn: ['users.find'],
  input: z.object({ id: z.string().max(64) }),
  async fn({ id }, { services }) {
    const sessions = await services.sessions.listOfUser(id);
    return sessions.map((session) => ({
      handle: session.id,
      createdAt: new Date(session.createdAt).toISOString(),
      lastActiveAt: new Date(session.lastActiveAt).toISOString(),
      userAgent: session.userAgent,
      ipAddress: session.ipAddress,
    }));
  },
});
