import { UserError } from '../../../src/errors.js';
import type { Step } from '../step.js';

export const steps: Step[] = [
  {
    order: 15,
    title: 'Try a wrong password',
    take: async ({ account, send }) => {
      await send('POST', '/login', 401, { email: account.email, password: 'guessed' });
    },
  },
  {
    order: 20,
    title: 'Sign in',
    take: async ({ account, send }) => {
      await send('POST', '/login', 200, account);
    },
  },
  {
    order: 60,
    title: 'Forget the password, and set a new one with the token of the mail',
    take: async ({ account, send, mail, remark }) => {
      await send('POST', '/forgot-password', 200, { email: account.email });
      const link = /https?:\S+token=([0-9a-f]+)/.exec(await mail('Reset your password'));
      if (!link?.[1]) throw new UserError('The mail has no link with a token.');
      remark(`mail: ${link[0]}`);
      account.password = 'a new correct horse';
      await send('POST', '/reset-password', 200, { token: link[1], newPassword: account.password });
      remark('The reset has ended every session:');
      await send('GET', '/me', 401);
    },
  },
  {
    order: 61,
    title: 'Sign in with the new password',
    take: async ({ account, send }) => {
      await send('POST', '/login', 200, account);
    },
  },
];
