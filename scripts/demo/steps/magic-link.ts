import type { Step } from '../step.js';
import type { SignIn } from '../visitor.js';

export const signIn: SignIn = async ({ account, send, mailedToken }) => {
  await send('POST', '/magic-link/send', 200, { email: account.email });
  const token = await mailedToken('Your link to sign in');
  return send('POST', '/magic-link/verify', 200, { token });
};

export const steps: Step[] = [
  {
    order: 64,
    title: 'Sign in by a mailed link',
    take: async (visitor) => {
      await visitor.send('POST', '/logout', 200, {});
      await signIn(visitor);
      await visitor.send('GET', '/me', 200);
    },
  },
];
