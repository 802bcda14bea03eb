import { post } from '../../http/route.js';
import { Issued, Success } from '../../session/views.js';
import { SendBody, sendErrors, sendLimits, sendLink } from './send.js';
import { VerifyBody, verifyErrors, verifyLink } from './verify.js';

export const magicLinkRoutes = [
  post(
    '/magic-link/send',
    {
      summary: 'Mail a link that signs in',
      body: SendBody,
      reply: Success,
      errors: sendErrors,
      limits: ({ body }) => sendLimits(body),
    },
    async (call) => {
      await sendLink(call);
      return { body: { success: true } };
    },
  ),

  post(
    '/magic-link/verify',
    {
      summary: 'Sign in with the token of the mailed link',
      body: VerifyBody,
      reply: Issued,
      errors: verifyErrors,
    },
    verifyLink,
  ),
];
