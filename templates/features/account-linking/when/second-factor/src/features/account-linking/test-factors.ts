import { nativeClient } from '../../../test/client.js';
import { challengeOf, type Factors } from '../../../test/factor.js';
import { linkTokenTo } from '../../../test/linking.js';
import { randomId } from '../../random.js';
import { LINK_METHOD } from './sign-in-method.js';

export const accountLinkingTestFactors: Factors = {
  first: {
    'the link that links an account': async () => ({
      method: LINK_METHOD,
      variables: {},
      async enrol() {},
      async begin(service, { client }) {
        const email = `${randomId()}@example.com`;
        await client.post('/link-request', { email });
        const token = await linkTokenTo(service, email);
        return challengeOf(
          await nativeClient(service).post('/link-verify', { token, loginAfterLinking: true }),
        );
      },
    }),
  },
};
