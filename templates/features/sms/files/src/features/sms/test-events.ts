import { nativeClient } from '../../../test/client.js';
import type { EventCase, EventCases } from '../../../test/event-cases.js';
import { requestTextedCode, signInWithPhone, startTextingService } from '../../../test/phone.js';

const signIn: EventCase = async () => {
  const phones = await startTextingService();
  const { email } = (await signInWithPhone(phones)).user;
  const code = await requestTextedCode(phones, email);
  await nativeClient(phones.service).post('/sms/verify', { email, code });
  return phones.service;
};

export const smsTestEvents: EventCases = {
  'identity.session.created': { 'POST /sms/verify': signIn },
  'identity.auth.login.success': { 'POST /sms/verify': signIn },
  'identity.auth.login.failed': {
    'POST /sms/verify': async () => {
      const phones = await startTextingService();
      const { email } = (await signInWithPhone(phones)).user;
      await requestTextedCode(phones, email);
      const code = await phones.wrongCode();
      await nativeClient(phones.service).post('/sms/verify', { email, code });
      return phones.service;
    },
  },
};
