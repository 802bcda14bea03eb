import { promoteUser } from '../src/commands/promote-user.js';
import { browser, nativeClient } from './client.js';
import type { EventCases } from './event-cases.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const MONTH = 31 * 24 * 60 * 60 * 1000;

export const baseTestEvents: EventCases = {
  'identity.role.assigned': {
    'npm run admin -- promote': async () => {
      const service = await startTestService();
      const { user } = await signInAs(service);
      await promoteUser(service.services, [user.email]);
      return service;
    },
  },
  'identity.session.rotated': {
    'POST /refresh': async () => {
      const service = await startTestService();
      const { refreshToken } = await signInAs(service);
      await nativeClient(service).post('/refresh', { refreshToken });
      return service;
    },
  },
  'identity.session.revoked': {
    'DELETE /sessions/{handle}': async () => {
      const service = await startTestService();
      const { client } = await signInAs(service);
      const { body } = await client.get('/sessions');
      await client.delete(`/sessions/${body.sessions[0].handle}`);
      return service;
    },
    'POST /refresh with a used token': async () => {
      const service = await startTestService();
      const { refreshToken } = await signInAs(service);
      await nativeClient(service).post('/refresh', { refreshToken });
      service.advance(60 * 60 * 1000);
      await browser(service).post('/refresh', { refreshToken });
      return service;
    },
    'POST /logout': async () => {
      const service = await startTestService();
      await (await signInAs(service)).client.post('/logout');
      return service;
    },
  },
  'identity.session.expired': {
    'POST /sessions/cleanup': async () => {
      const service = await startTestService();
      await signInAs(service);
      service.advance(MONTH);
      await (await signInAs(service, { role: 'admin' })).client.post('/sessions/cleanup');
      return service;
    },
  },
  'identity.auth.logout': {
    'POST /logout': async () => {
      const service = await startTestService();
      await (await signInAs(service)).client.post('/logout');
      return service;
    },
  },
};
