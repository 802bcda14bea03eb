import * as z from 'zod';
import { Issued, post, type Route } from '../../http/route.js';
import { knownEmail } from '../../users/user.js';
import { LOGIN_KIND, loginLinkLimits, METHOD, useLoginLink } from './link.js';

export const kinds = [LOGIN_KIND];

export const signInRoutes: Route[] = [
  post('/magic-link/send', {
    summary: 'Mail a link that signs in',
    body: z.object({ email: knownEmail }),
    limits: ({ body, request, services }) => loginLinkLimits(services, request, body.email),
    handle: async ({ body: { email }, request: { language }, services }) => {
      await services.mails.add('magicLink', { email, language });
    },
  }),

  post('/magic-link/verify', {
    summary: 'Sign in with the token of the mailed link',
    body: z.object({ token: z.string().min(1).max(512) }),
    reply: Issued,
    errors: ['INVALID_MAGIC_LINK'],
    readsCredential: 'accessToken',
    signsIn: METHOD,
    limits: ({ request }) => [['secretsPerIp', request.ip]],
    handle: async ({ body, request, services }) => useLoginLink(services, request, body.token),
  }),
];
