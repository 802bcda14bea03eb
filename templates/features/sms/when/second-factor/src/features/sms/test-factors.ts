import { nativeClient } from '../../../test/client.js';
import { challengeOf, type Factors } from '../../../test/factor.js';
import { phonesOf, verifyPhone } from '../../../test/phone.js';
import type { TestService } from '../../../test/service.js';
import type { SignedIn } from '../../../test/sign-in-as.js';
import { startSmsSink } from '../../../test/sms-sink.js';
import { METHOD } from './method.js';

async function startTexting() {
  const sink = await startSmsSink();
  return {
    sink,
    method: METHOD,
    variables: sink.environment,
    async enrol(service: TestService, person: SignedIn) {
      await verifyPhone(phonesOf(service, sink), person);
    },
  };
}

export const smsTestFactors: Factors = {
  first: {
    'a texted code': async () => {
      const { sink, ...factor } = await startTexting();
      return {
        ...factor,
        async begin(service, { user }) {
          const client = nativeClient(service);
          await client.post('/sms/send', { email: user.email });
          const code = await phonesOf(service, sink).lastCode();
          return challengeOf(await client.post('/sms/verify', { email: user.email, code }));
        },
      };
    },
  },
  second: {
    'a texted code': async () => {
      const { sink, ...factor } = await startTexting();
      return {
        ...factor,
        async finish(service, _person, tempToken) {
          const client = nativeClient(service);
          await client.post('/sms/send', { mode: '2fa', tempToken });
          const code = await phonesOf(service, sink).lastCode();
          return client.post('/sms/verify', { mode: '2fa', tempToken, code });
        },
      };
    },
  },
};
