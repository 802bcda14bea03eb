import type { Step } from '../step.js';
import { expectThat } from '../visitor.js';

export const steps: Step[] = [
  {
    order: 10,
    title: 'Open an account',
    take: ({ openAccount }) => openAccount(),
  },
  {
    order: 20,
    title: 'Sign in',
    take: async ({ signIn }) => {
      await signIn();
    },
  },
  {
    order: 30,
    title: 'Who am I?',
    take: async ({ account, send }) => {
      const { body } = await send('GET', '/me', 200);
      expectThat(body.email === account.email, '/me tells the address that signed in');
    },
  },
  {
    order: 31,
    title: 'Change the profile',
    take: async ({ send }) => {
      await send('PATCH', '/profile', 200, { name: 'Countess of Lovelace' });
    },
  },
  {
    order: 32,
    title: 'Exchange the refresh token for new tokens',
    take: async ({ send }) => {
      await send('POST', '/refresh', 200, {});
    },
  },
  {
    order: 33,
    title: 'Look at the own sessions',
    take: async ({ send }) => {
      const { body } = await send('GET', '/sessions', 200);
      const count = Array.isArray(body.sessions) ? body.sessions.length : 0;
      expectThat(count === 1, 'there is one session');
    },
  },
  {
    order: 90,
    title: 'Sign out',
    take: async ({ send }) => {
      await send('POST', '/logout', 200, {});
      await send('GET', '/me', 401);
    },
  },
];
