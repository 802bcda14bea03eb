import { enrolTotp } from '../../../test/authenticator.js';
import { nativeClient } from '../../../test/client.js';
import type { EventCase, EventCases } from '../../../test/event-cases.js';
import { passFirstFactor } from '../../../test/first-factor.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

async function startEnrolled() {
  const service = await startTestService();
  const ada = await signInAs(service);
  return { service, ada, ...(await enrolTotp(ada)) };
}

const signIn: EventCase = async () => {
  const { service, ada, recoveryCodes } = await startEnrolled();
  const { tempToken } = await passFirstFactor(service, ada.user.id);
  await nativeClient(service).post('/2fa/verify', { tempToken, totpCode: recoveryCodes[0] });
  return service;
};

export const totpTestEvents: EventCases = {
  'identity.session.created': { 'POST /2fa/verify': signIn },
  'identity.auth.login.success': { 'POST /2fa/verify': signIn },
  'identity.auth.login.failed': {
    'POST /2fa/verify': async () => {
      const { service, ada } = await startEnrolled();
      const { tempToken } = await passFirstFactor(service, ada.user.id);
      await nativeClient(service).post('/2fa/verify', { tempToken, totpCode: 'wrong' });
      return service;
    },
  },
  'identity.user.2fa.enabled': {
    'POST /2fa/verify-setup': async () => (await startEnrolled()).service,
  },
  'identity.user.2fa.disabled': {
    'POST /2fa/disable': async () => {
      const { service, ada } = await startEnrolled();
      await ada.client.post('/2fa/disable');
      return service;
    },
  },
};
