import { METHOD } from '../../../src/features/magic-link/link.js';
import { requestMagicLink } from '../../magic-link.js';
import type { MakeFlow } from '../flow.js';

export const magicLink: MakeFlow[] = [
  () => ({
    route: 'POST /magic-link/verify',
    method: METHOD,
    provesAddress: true,
    async start(service, { user }, client) {
      const secret = await requestMagicLink(service, user.email);
      return { secret, send: (token = secret) => client.post('/magic-link/verify', { token }) };
    },
  }),
];
