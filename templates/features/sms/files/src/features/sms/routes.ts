import { z } from 'zod';
import { Issued, Success } from '../../http/replies.js';
import { post, type Route } from '../../http/route.js';
import { emailLang } from '../../mail/compose-mail.js';
import { codeField } from './codes.js';
import {
  isNamed,
  loginTextLimits,
  METHOD,
  requestLoginCode,
  unnamed,
  useLoginCode,
  whoFields,
} from './login.js';

/** Signing in by a texted code. */
export const signInRoutes: Route[] = [
  post(
    '/sms/send',
    {
      summary: 'Text a code that signs in',
      body: z.object({ ...whoFields, emailLang }).refine(isNamed, unnamed),
      reply: Success,
      limits: ({ body, request }) => loginTextLimits(body, request),
    },
    async ({ body, services }) => {
      requestLoginCode(services, body, body.emailLang);
      return { body: { success: true } };
    },
  ),

  post(
    '/sms/verify',
    {
      summary: 'Sign in with the texted code',
      body: z.object({ ...whoFields, code: codeField }).refine(isNamed, unnamed),
      reply: Issued,
      errors: ['INVALID_SMS_CODE'],
      signsIn: METHOD,
    },
    async ({ body, request, services }) => useLoginCode(services, request, body, body.code),
  ),
];
