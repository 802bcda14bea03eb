import { METHOD } from '../../../src/features/password/login.js';
import { requestResetToken } from '../../password-account.js';
import type { MakeFlow } from '../flow.js';

const PASSWORD = 'correct horse battery staple';

export const password: MakeFlow[] = [
  () => ({
    route: 'POST /login',
    method: METHOD,
    isRepeatable: true,
    enrol: (_service, { client }) =>
      client.post('/change-password', { currentPassword: '', newPassword: PASSWORD }),
    start: async (_service, { user: { email } }, client) => ({
      secret: PASSWORD,
      send: (password = PASSWORD) => client.post('/login', { email, password }),
    }),
  }),

  () => ({
    route: 'POST /reset-password',
    provesAddress: true,
    async start(service, { user }, client) {
      const secret = await requestResetToken(service, user.email);
      const newPassword = `another ${PASSWORD}`;
      return {
        secret,
        send: (token = secret) => client.post('/reset-password', { token, newPassword }),
      };
    },
  }),
];
