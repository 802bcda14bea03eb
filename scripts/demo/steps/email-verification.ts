import type { Step } from '../step.js';
import { expectThat } from '../visitor.js';

export const steps: Step[] = [
  {
    order: 40,
    title: 'Prove that the address is mine',
    take: async ({ send, mailedToken }) => {
      await send('POST', '/send-verification-email', 200, {});
      const token = await mailedToken('Confirm your address');
      await send('GET', `/verify-email?token=${token}`, 200);
      const { body } = await send('GET', '/me', 200);
      expectThat(body.isEmailVerified === true, '/me says that the address is verified');
    },
  },
];
