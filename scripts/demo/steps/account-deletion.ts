import type { Step } from '../step.js';
import { expectThat } from '../visitor.js';

export const steps: Step[] = [
  {
    order: 85,
    title: 'Delete the account, open it again, and see that nothing is left',
    take: async ({ send, openAccount, signIn }) => {
      await send('DELETE', '/account', 200);
      await send('GET', '/me', 401);
      await openAccount();
      await signIn();
      const { body } = await send('GET', '/me', 200);
      expectThat(body.isTotpEnabled === false, 'nothing of the old account is left');
    },
  },
];
