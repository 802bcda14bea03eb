import { Issued, post, type Route } from '../../http/route.js';
import { codeField } from './codes.js';
import { loginTextLimits, METHOD, requestLoginCode, useLoginCode, Who } from './login.js';

export const signInRoutes: Route[] = [
  post('/sms/send', {
    summary: 'Text a code that signs in',
    body: Who,
    limits: ({ body, request, services }) => loginTextLimits(services, request, body),
    handle: async ({ body, request, services }) => {
      requestLoginCode(services, request, body);
    },
  }),

  post('/sms/verify', {
    summary: 'Sign in with the texted code',
    body: Who.safeExtend({ code: codeField }),
    reply: Issued,
    errors: ['INVALID_SMS_CODE'],
    signsIn: METHOD,
    limits: ({ request }) => [['secretsPerIp', request.ip]],
    handle: async ({ body, request, services }) => useLoginCode(services, request, body, body.code),
  }),
];
