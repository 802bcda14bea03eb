import { post } from '../../http/route.js';
import { Issued, Success } from '../../session/views.js';
import { SendLinkBody, sendLinkErrors, sendLinkLimits, sendMagicLink } from './send.js';
import { VerifyLinkBody, verifyLinkErrors, verifyMagicLink } from './verify.js';

export const magicLinkRoutes = [
  post(
    '/magic-link/send',
    {
      summary: 'Mail a link that signs in',
      body: SendLinkBody,
      reply: Success,
      errors: sendLinkErrors,
      limits: ({ body }) => sendLinkLimits(body),
    },
    async (call) => {
      await sendMagicLink(call);
      return { body: { success: true } };
    },
  ),

  post(
    '/magic-link/verify',
    {
      summary: 'Sign in with the token of the mailed link',
      body: VerifyLinkBody,
      reply: Issued,
      errors: verifyLinkErrors,
      signsIn: true,
    },
    verifyMagicLink,
  ),
];
