import { nativeClient } from '../../../test/client.js';
import { challengeOf, type Factors } from '../../../test/factor.js';
import { linkTokenIn, requestMagicLink } from '../../../test/magic-link.js';
import type { TestService } from '../../../test/service.js';
import type { SignedIn } from '../../../test/sign-in-as.js';
import { METHOD } from './link.js';

/** A link is a second factor only for an address that is verified. */
async function enrol({ services }: TestService, { user }: SignedIn): Promise<void> {
  await services.users.markEmailVerified(user.id);
}

export const magicLinkTestFactors: Factors = {
  first: {
    'a mailed link': async () => ({
      method: METHOD,
      variables: {},
      enrol,
      async begin(service, { user }) {
        const token = await requestMagicLink(service, user.email);
        return challengeOf(await nativeClient(service).post('/magic-link/verify', { token }));
      },
    }),
  },
  second: {
    'a mailed link': async () => ({
      method: METHOD,
      variables: {},
      enrol,
      async finish(service, _person, tempToken) {
        const client = nativeClient(service);
        // A mail of an earlier step must not come after the link.
        await service.idle();
        await client.post('/magic-link/send', { mode: '2fa', tempToken });
        const token = linkTokenIn((await service.mails()).at(-1));
        return client.post('/magic-link/verify', { mode: '2fa', tempToken, token });
      },
    }),
  },
};
