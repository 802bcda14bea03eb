import * as z from 'zod';
import { Issued, post, type Route } from '../../http/route.js';
import { mailLimits } from '../../mail/compose-mail.js';
import { accountKeyOf } from '../../session/device.js';
import { knownEmail } from '../../users/user.js';
import {
  CHALLENGE_ERRORS,
  requireAvailable,
  requireChallenge,
  TempToken,
} from '../second-factor/challenge.js';
import { LOGIN_KIND, loginLinkLimits, METHOD, useLoginLink } from './link.js';
import { finishByLink, KIND } from './second-factor/feature.js';

export const kinds = [LOGIN_KIND, KIND];

export const signInRoutes: Route[] = [
  post('/magic-link/send', {
    summary: 'Mail a link that signs in',
    body: z.discriminatedUnion('mode', [
      z.object({ mode: z.literal('login').optional(), email: knownEmail }),
      z.object({ mode: z.literal('2fa'), tempToken: TempToken }),
    ]),
    errors: CHALLENGE_ERRORS,
    limits: ({ body, request, services }) =>
      body.mode === '2fa' ? [] : loginLinkLimits(services, request, body.email),
    handle: async ({ body, request, services }) => {
      const { language } = request;
      if (body.mode !== '2fa') {
        await services.mails.add('magicLink', { email: body.email, language });
        return;
      }
      const challenge = await requireChallenge(services, body.tempToken);
      const { id: userId } = (await requireAvailable(services, challenge, METHOD)).user;
      const account = await accountKeyOf(services, request, { userId });
      await services.limiter.consume(mailLimits(KIND, account));
      const link = { userId, payload: challenge.id, language };
      await services.mails.add('magicLinkSecondStep', link);
    },
  }),

  post('/magic-link/verify', {
    summary: 'Sign in with the token of the mailed link',
    body: z.object({
      token: z.string().min(1).max(512),
      mode: z.enum(['login', '2fa']).optional(),
      tempToken: TempToken,
    }),
    reply: Issued,
    errors: ['INVALID_MAGIC_LINK', 'TOKEN_MISMATCH', ...CHALLENGE_ERRORS],
    readsCredential: 'accessToken',
    signsIn: METHOD,
    limits: ({ request }) => [['secretsPerIp', request.ip]],
    handle: async ({ body, request, services }) =>
      (await finishByLink(services, request, body)) ?? useLoginLink(services, request, body.token),
  }),
];
