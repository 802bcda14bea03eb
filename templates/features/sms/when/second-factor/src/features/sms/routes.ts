import * as z from 'zod';
import { Issued } from '../../http/replies.js';
import { post, type Route } from '../../http/route.js';
import { emailLang } from '../../mail/compose-mail.js';
import { answerChallenge, CHALLENGE_ERRORS, requireChallenge } from '../second-factor/challenge.js';
import { codeField, useCode } from './codes.js';
import { loginTextLimits, METHOD, requestLoginCode, useLoginCode, Who } from './login.js';
import { requestSecondFactorCode } from './second-factor/feature.js';

const login = z.literal('login').optional();
const second = { mode: z.literal('2fa'), tempToken: z.string().max(4096).optional() };

/** Signing in by a texted code, or finishing a sign-in with it. */
export const signInRoutes: Route[] = [
  post(
    '/sms/send',
    {
      summary: 'Text a code that signs in',
      body: z.discriminatedUnion('mode', [
        Who.safeExtend({ mode: login, emailLang }),
        z.object({ ...second, emailLang }),
      ]),
      errors: CHALLENGE_ERRORS,
      limits: ({ body, request, services }) =>
        body.mode === '2fa' ? [] : loginTextLimits(services, request, body),
    },
    async ({ body, request, services }) => {
      if (body.mode === '2fa') {
        const challenge = await requireChallenge(services, body.tempToken);
        await requestSecondFactorCode(services, request, challenge, body.emailLang);
      } else {
        requestLoginCode(services, request, body, body.emailLang);
      }
    },
  ),

  post(
    '/sms/verify',
    {
      summary: 'Sign in with the texted code',
      body: z.discriminatedUnion('mode', [
        Who.safeExtend({ mode: login, code: codeField }),
        z.object({ ...second, code: codeField }),
      ]),
      reply: Issued,
      errors: ['INVALID_SMS_CODE', ...CHALLENGE_ERRORS],
      signsIn: METHOD,
      limits: ({ request }) => [['secretsPerIp', request.ip]],
    },
    async ({ body, request, services }) => {
      if (body.mode !== '2fa') return useLoginCode(services, request, body, body.code);
      return answerChallenge(services, request, await requireChallenge(services, body.tempToken), {
        method: METHOD,
        wrong: 'INVALID_SMS_CODE',
        isRight: ({ id, userId }) =>
          useCode(services, { userId, purpose: '2fa', challengeId: id }, body.code),
      });
    },
  ),
];
