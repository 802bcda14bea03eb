import { nativeClient } from '../../../test/client.js';
import type { EventCase, EventCases } from '../../../test/event-cases.js';
import { requestMagicLink } from '../../../test/magic-link.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const signIn: EventCase = async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const token = await requestMagicLink(service, user.email);
  await nativeClient(service).post('/magic-link/verify', { token });
  return service;
};

export const magicLinkTestEvents: EventCases = {
  'identity.session.created': { 'POST /magic-link/verify': signIn },
  'identity.auth.login.success': { 'POST /magic-link/verify': signIn },
  'identity.user.email.verified': { 'POST /magic-link/verify': signIn },
  'identity.auth.login.failed': {
    'POST /magic-link/verify': async () => {
      const service = await startTestService();
      await nativeClient(service).post('/magic-link/verify', { token: 'f'.repeat(64) });
      return service;
    },
  },
};
