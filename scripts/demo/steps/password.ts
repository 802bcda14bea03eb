import type { Step } from '../step.js';
import type { SignIn } from '../visitor.js';

export const signIn: SignIn = ({ account, send }) => send('POST', '/login', 200, account);

export const steps: Step[] = [
  {
    order: 15,
    title: 'Try a wrong password',
    take: async ({ account, send }) => {
      await send('POST', '/login', 401, { email: account.email, password: 'guessed' });
    },
  },
  {
    order: 60,
    title: 'Forget the password, and set a new one with the token of the mail',
    take: async ({ account, send, mailedToken, remark }) => {
      await send('POST', '/forgot-password', 200, { email: account.email });
      const token = await mailedToken('Reset your password');
      account.password = 'a new correct horse';
      await send('POST', '/reset-password', 200, { token, newPassword: account.password });
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
