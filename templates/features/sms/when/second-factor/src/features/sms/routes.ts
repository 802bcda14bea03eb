import { z } from 'zod';
import { Issued, Success } from '../../http/replies.js';
import { post, type Route } from '../../http/route.js';
import { emailLang } from '../../mail/compose-mail.js';
import { answerChallenge, requireChallenge } from '../second-factor/challenge.js';
import { codeField } from './codes.js';
import { loginTextLimits, METHOD, requestLoginCode, useLoginCode, Who } from './login.js';
import { requestSecondFactorCode, useSecondFactorCode } from './second-factor/feature.js';

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
      reply: Success,
      errors: ['TEMP_TOKEN_REQUIRED', 'INVALID_TEMP_TOKEN'],
      limits: ({ body, request }) => (body.mode === '2fa' ? [] : loginTextLimits(body, request)),
    },
    async ({ body, request, services }) => {
      if (body.mode === '2fa') {
        const challenge = await requireChallenge(services, body.tempToken);
        await requestSecondFactorCode(services, request, challenge, body.emailLang);
      } else {
        requestLoginCode(services, body, body.emailLang);
      }
      return { body: { success: true } };
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
      errors: ['INVALID_SMS_CODE', 'TEMP_TOKEN_REQUIRED', 'INVALID_TEMP_TOKEN'],
      signsIn: METHOD,
    },
    async ({ body, request, services }) => {
      if (body.mode !== '2fa') return useLoginCode(services, request, body, body.code);
      return answerChallenge(services, request, await requireChallenge(services, body.tempToken), {
        method: METHOD,
        wrong: 'INVALID_SMS_CODE',
        isRight: (challenge) => useSecondFactorCode(services, challenge, body.code),
      });
    },
  ),
];
