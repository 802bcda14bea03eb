import { nativeClient } from '../../../test/client.js';
import type { EventCases } from '../../../test/event-cases.js';
import { startTestService } from '../../../test/service.js';

export const registrationTestEvents: EventCases = {
  'identity.user.created': {
    'POST /register': async () => {
      const service = await startTestService();
      const ada = { email: 'ada@example.com', password: 'correct horse battery staple' };
      await nativeClient(service).post('/register', ada);
      return service;
    },
  },
};
