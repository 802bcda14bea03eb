import * as z from 'zod';
import { refuse } from '../../http/errors.js';
import { Issued, post, type Route } from '../../http/route.js';
import { accountKeyOf } from '../../session/device.js';
import {
  answerChallenge,
  CHALLENGE_ERRORS,
  type LoginChallenge,
  requireAvailable,
  requireChallenge,
  TempToken,
} from '../second-factor/challenge.js';
import { codeField, ofOwner, textCodeIfAllowed, textLimits, useCode } from './codes.js';
import { loginTextLimits, METHOD, requestLoginCode, useLoginCode, Who } from './login.js';

const login = z.literal('login').optional();
const secondStep = { mode: z.literal('2fa'), tempToken: TempToken };

/** A code that finishes this sign-in, and no other. */
function codeUseOf({ id, userId }: LoginChallenge) {
  return { userId, purpose: '2fa', challengeId: id } as const;
}

export const signInRoutes: Route[] = [
  post('/sms/send', {
    summary: 'Text a code that signs in',
    body: z.discriminatedUnion('mode', [Who.safeExtend({ mode: login }), z.object(secondStep)]),
    errors: CHALLENGE_ERRORS,
    limits: ({ body, request, services }) =>
      body.mode === '2fa' ? [] : loginTextLimits(services, request, body),
    handle: async ({ body, request, services }) => {
      if (body.mode !== '2fa') return requestLoginCode(services, request, body);
      const challenge = await requireChallenge(services, body.tempToken);
      const { user } = await requireAvailable(services, challenge, METHOD);
      const phoneNumber = await services.sms.findNumber(user.id);
      if (!phoneNumber) throw refuse('METHOD_NOT_AVAILABLE');
      const use = codeUseOf(challenge);
      const account = ofOwner(await accountKeyOf(services, request, { userId: user.id }));
      const limits = textLimits(use.purpose, account, ['textsPerIp', request.ip]);
      await services.limiter.consume(limits);
      services.background.run('second factor code', () =>
        textCodeIfAllowed(services, use, phoneNumber, request.language),
      );
    },
  }),

  post('/sms/verify', {
    summary: 'Sign in with the texted code',
    body: z.discriminatedUnion('mode', [
      Who.safeExtend({ mode: login, code: codeField }),
      z.object({ ...secondStep, code: codeField }),
    ]),
    reply: Issued,
    errors: ['INVALID_SMS_CODE', ...CHALLENGE_ERRORS],
    signsIn: METHOD,
    limits: ({ request }) => [['secretsPerIp', request.ip]],
    handle: async ({ body, request, services }) => {
      if (body.mode !== '2fa') return useLoginCode(services, request, body, body.code);
      const challenge = await requireChallenge(services, body.tempToken);
      return answerChallenge(services, request, challenge, {
        method: METHOD,
        wrong: 'INVALID_SMS_CODE',
        isRight: async () =>
          (await useCode(services, codeUseOf(challenge), body.code)) !== undefined,
      });
    },
  }),
];
