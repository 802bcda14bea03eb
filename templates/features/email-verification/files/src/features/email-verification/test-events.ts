import { browser } from '../../../test/client.js';
import type { EventCases } from '../../../test/event-cases.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

export const emailVerificationTestEvents: EventCases = {
  'identity.user.email.verified': {
    'GET /verify-email': async () => {
      const service = await startTestService();
      const { client } = await signInAs(service);
      await client.post('/send-verification-email');
      const mail = (await service.mails()).at(-1);
      const token = /token=([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1];
      await browser(service).get(`/verify-email?token=${token}`);
      return service;
    },
  },
};
