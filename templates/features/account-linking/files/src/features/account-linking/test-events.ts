import { nativeClient } from '../../../test/client.js';
import type { EventCases } from '../../../test/event-cases.js';
import { accountAt, linkTokenTo } from '../../../test/linking.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

export const accountLinkingTestEvents: EventCases = {
  'identity.user.linked': {
    'POST /link-verify': async () => {
      const service = await startTestService();
      const { client } = await signInAs(service);
      const email = 'other@example.com';
      await client.post('/link-request', { email });
      await nativeClient(service).post('/link-verify', {
        token: await linkTokenTo(service, email),
      });
      return service;
    },
  },
  'identity.user.unlinked': {
    'DELETE /linked-accounts/{provider}/{id}': async () => {
      const service = await startTestService();
      const { client, user } = await signInAs(service);
      for (const id of ['1', '2']) {
        await service.services.accountLinking.add(user.id, accountAt('acme', id));
      }
      await client.delete('/linked-accounts/acme/1');
      return service;
    },
  },
};
