import { LINK_METHOD } from '../../../src/features/account-linking/sign-in-method.js';
import { randomId } from '../../../src/process/random.js';
import { linkTokenTo } from '../../linking.js';
import type { MakeFlow } from '../flow.js';

export const link: MakeFlow[] = [
  () => ({
    route: 'POST /link-verify',
    method: LINK_METHOD,
    async start(service, person, client) {
      const email = `${randomId()}@example.com`;
      await person.client.post('/link-request', { email });
      const secret = await linkTokenTo(service, email);
      return {
        secret,
        send: (token = secret) => client.post('/link-verify', { token, loginAfterLinking: true }),
      };
    },
  }),
];
