import type { Step } from '../step.js';
import { expectThat } from '../visitor.js';

export const steps: Step[] = [
  {
    order: 70,
    title: 'Move the account to a new address',
    take: async ({ account, send, mailedToken }) => {
      const newEmail = 'countess@example.com';
      const { password: currentPassword } = account;
      await send('POST', '/change-email/request', 200, { newEmail, currentPassword });
      const token = await mailedToken('Confirm your new address');
      await send('POST', '/change-email/confirm', 200, { token });
      account.email = newEmail;
      const { body } = await send('GET', '/me', 200);
      expectThat(body.email === newEmail, '/me tells the new address');
    },
  },
];
