import { nativeClient } from '../../../test/client.js';
import type { EventCase, EventCases } from '../../../test/event-cases.js';
import {
  createPasswordAccount,
  requestResetToken,
  resetPassword,
  signInWithPassword,
} from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';

const signIn: EventCase = async () => {
  const service = await startTestService();
  await signInWithPassword(service, await createPasswordAccount(service));
  return service;
};

const reset: EventCase = async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service);
  await resetPassword(service, await requestResetToken(service, email));
  return service;
};

export const passwordTestEvents: EventCases = {
  'identity.session.created': { 'POST /login': signIn },
  'identity.auth.login.success': { 'POST /login': signIn },
  'identity.auth.login.failed': {
    'POST /login': async () => {
      const service = await startTestService();
      const { email } = await createPasswordAccount(service);
      await nativeClient(service).post('/login', { email, password: 'another one' });
      return service;
    },
  },
  'identity.user.email.verified': { 'POST /reset-password': reset },
  'identity.user.password.changed': {
    'POST /change-password': async () => {
      const service = await startTestService();
      const account = await createPasswordAccount(service);
      const client = await signInWithPassword(service, account);
      const newPassword = 'a password that is new';
      await client.post('/change-password', { currentPassword: account.password, newPassword });
      return service;
    },
    'POST /reset-password': reset,
  },
};
