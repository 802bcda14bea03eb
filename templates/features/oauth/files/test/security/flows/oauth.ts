import { METHOD } from '../../../src/features/oauth/sign-in.js';
import { counterparts } from '../../oauth/counterparts.js';
import { begin, comeBack } from '../../oauth/sign-in-at.js';
import type { MakeFlow } from '../flow.js';

/** One provider of each protocol. */
export const oauth: MakeFlow[] = counterparts.map(([, start]) => async () => {
  const counterpart = await start();
  let id = 1000;
  return {
    route: 'GET /oauth/{provider}/callback',
    method: METHOD,
    isBoundLate: true,
    variables: counterpart.variables,
    async start(service, { user: { email } }, client) {
      id += 1;
      counterpart.person = { id: String(id), email, isEmailVerified: true };
      const url = await counterpart.agree(await begin(client, counterpart));
      const secret = url.searchParams.get('state') ?? '';
      return {
        secret,
        async send(state = secret) {
          url.searchParams.set('state', state);
          return comeBack(service, client, url);
        },
      };
    },
  };
});
