import { METHOD } from '../../src/features/magic-link/link.js';
import { challengeOf } from '../factor.js';
import type { MakeFlow } from '../security/flow.js';
import { linkTokenIn } from './magic-link.js';

export const magicLinkSecond: MakeFlow[] = [
  () => ({
    route: 'POST /magic-link/verify',
    method: METHOD,
    isSecondStep: true,
    /** A link is a second factor only for an address that is verified. */
    async start(service, person, client, tempToken) {
      const second = { mode: '2fa', tempToken: tempToken ?? (await challengeOf(service, person)) };
      // A mail of an earlier step must not come after the link.
      await service.idle();
      await client.post('/magic-link/send', second);
      const secret = linkTokenIn((await service.mails()).at(-1));
      return {
        secret,
        send: (token = secret) => client.post('/magic-link/verify', { ...second, token }),
      };
    },
  }),
];
