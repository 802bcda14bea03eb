import type { MakeFlow } from '../security/flow.js';

export const accountDeletion: MakeFlow[] = [
  () => ({
    route: 'DELETE /account',
    start: async (_service, { client }) => ({ send: () => client.delete('/account') }),
  }),
];
