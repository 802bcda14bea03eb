import { addRole, signInAtAdmin } from '../../../test/administrator.js';
import type { Client } from '../../../test/client.js';
import type { EventCase, EventCases } from '../../../test/event-cases.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

/** What an administrator does to a user. */
function act(request: (client: Client, userId: string) => Promise<unknown>): EventCase {
  return async () => {
    const service = await startTestService();
    await addRole(service, 'editor', ['posts:write']);
    const { client } = await signInAtAdmin(service);
    const { user } = await signInAs(service);
    await request(client, user.id);
    return service;
  };
}

export const adminTestEvents: EventCases = {
  'identity.user.created': {
    'POST /admin/api/users': act((client) => client.post('/users', { email: 'new@example.com' })),
  },
  'identity.user.deleted': {
    'DELETE /admin/api/users/{id}': act((client, id) => client.delete(`/users/${id}`)),
  },
  'identity.session.revoked': {
    'POST /admin/api/users/{id}/disable': act((client, id) => client.post(`/users/${id}/disable`)),
    'DELETE /admin/api/users/{id}/sessions': act((client, id) =>
      client.delete(`/users/${id}/sessions`),
    ),
  },
  'identity.role.assigned': {
    'POST /admin/api/users/{id}/roles': act((client, id) =>
      client.post(`/users/${id}/roles`, { role: 'editor' }),
    ),
  },
  'identity.role.revoked': {
    'DELETE /admin/api/users/{id}/roles/{name}': act(async (client, id) => {
      await client.post(`/users/${id}/roles`, { role: 'editor' });
      await client.delete(`/users/${id}/roles/editor`);
    }),
  },
};
