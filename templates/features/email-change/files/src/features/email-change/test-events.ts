import { nativeClient } from '../../../test/client.js';
import type { EventCases } from '../../../test/event-cases.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

export const emailChangeTestEvents: EventCases = {
  'identity.user.email.changed': {
    'POST /change-email/confirm': async () => {
      const service = await startTestService();
      const { client } = await signInAs(service);
      await client.post('/change-email/request', { newEmail: 'new@example.com' });
      const mail = (await service.mails()).at(-1);
      const token = /token=([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1];
      await nativeClient(service).post('/change-email/confirm', { token });
      return service;
    },
  },
};
