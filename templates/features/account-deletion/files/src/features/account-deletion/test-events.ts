import type { EventCases } from '../../../test/event-cases.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

export const accountDeletionTestEvents: EventCases = {
  'identity.user.deleted': {
    'DELETE /account': async () => {
      const service = await startTestService();
      await (await signInAs(service)).client.delete('/account');
      return service;
    },
  },
};
