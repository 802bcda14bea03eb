import { METHOD } from '../../../src/features/sms/login.js';
import { phonesOf, requestTextedCode, sinkOfTest, verifyPhone } from '../../phone.js';
import type { MakeFlow } from '../flow.js';

export const sms: MakeFlow[] = [
  async () => {
    const sink = await sinkOfTest();
    return {
      route: 'POST /sms/verify',
      method: METHOD,
      variables: sink.environment,
      enrol: (service, person) => verifyPhone(phonesOf(service, sink), person),
      async start(service, { user: { email } }, client) {
        const secret = await requestTextedCode(phonesOf(service, sink), email);
        return { secret, send: (code = secret) => client.post('/sms/verify', { email, code }) };
      },
    };
  },

  async () => {
    const sink = await sinkOfTest();
    return {
      route: 'POST /verify-phone',
      variables: sink.environment,
      async start(service, { client }) {
        await client.post('/add-phone', { phoneNumber: '+4915112345678' });
        const secret = await phonesOf(service, sink).lastCode();
        return { secret, send: (code = secret) => client.post('/verify-phone', { code }) };
      },
    };
  },
];
