import { generateSync } from 'otplib';
import type { Step } from '../step.js';
import { expectThat } from '../visitor.js';

const stepSeconds = 30;

export const steps: Step[] = [
  {
    order: 80,
    title: 'Set up an authenticator app, and sign in with its code',
    take: async ({ send, signIn, remark }) => {
      const setUp = await send('POST', '/2fa/setup', 200, {});
      const secret = String(setUp.body.secret);
      const token = codeAt(secret, 0);
      const confirmed = await send('POST', '/2fa/verify-setup', 200, { token, secret });
      expectThat(Array.isArray(confirmed.body.recoveryCodes), 'there are recovery codes');
      await send('POST', '/logout', 200, {});
      const { tempToken } = (await signIn()).body;
      remark('A code works once; the next one, a step ahead, is taken early.');
      await send('POST', '/2fa/verify', 200, { tempToken, totpCode: codeAt(secret, 1) });
      const { body } = await send('GET', '/me', 200);
      expectThat(body.isTotpEnabled === true, '/me says that the app is set up');
    },
  },
];

/** What the app shows, `steps` of 30 seconds from now. */
function codeAt(secret: string, steps: number): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * stepSeconds });
}
