import { METHOD } from '../../src/features/sms/login.js';
import { challengeOf } from '../factor.js';
import type { MakeFlow } from '../security/flow.js';
import { phonesOf, sinkOfTest, verifyPhone } from './sms.js';

export const smsSecond: MakeFlow[] = [
  async () => {
    const sink = await sinkOfTest();
    return {
      route: 'POST /sms/verify',
      method: METHOD,
      isSecondStep: true,
      variables: sink.environment,
      enrol: (service, person) => verifyPhone(phonesOf(service, sink), person),
      async start(service, person, client, tempToken) {
        const token = tempToken ?? (await challengeOf(service, person));
        const second = { mode: '2fa', tempToken: token };
        await client.post('/sms/send', second);
        const secret = await phonesOf(service, sink).lastCode();
        return { secret, send: (code = secret) => client.post('/sms/verify', { ...second, code }) };
      },
    };
  },
];
