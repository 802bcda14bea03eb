import type { Step } from '../step.js';
import type { SignIn } from '../visitor.js';

export const signIn: SignIn = async ({ account, send, textedCode }) => {
  const { email } = account;
  await send('POST', '/sms/send', 200, { email });
  return send('POST', '/sms/verify', 200, { email, code: await textedCode() });
};

export const steps: Step[] = [
  {
    order: 66,
    title: 'Add a phone, and sign in by a texted code',
    take: async (visitor) => {
      await visitor.send('POST', '/add-phone', 200, { phoneNumber: '+12025550123' });
      await visitor.send('POST', '/verify-phone', 200, { code: await visitor.textedCode() });
      await visitor.send('POST', '/logout', 200, {});
      await signIn(visitor);
      await visitor.send('GET', '/me', 200);
    },
  },
];
