import type { Step } from '../step.js';

export const steps: Step[] = [
  {
    order: 10,
    title: 'Open an account',
    take: async ({ account, send }) => {
      await send('POST', '/register', 201, { ...account, firstName: 'Ada', lastName: 'Lovelace' });
    },
  },
];
