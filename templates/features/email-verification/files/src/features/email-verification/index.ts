import { z } from 'zod';
import { HttpError, refuse } from '../../http/errors.js';
import { redirect } from '../../http/redirect.js';
import { get, post } from '../../http/route.js';
import { emailLang } from '../../mail/language.js';
import { mailLimits } from '../../mail/mail-limits.js';
import { Success } from '../../session/views.js';
import { KIND, mailVerification, verifyEmail } from './verification.js';

export const emailVerificationRoutes = [
  post(
    '/send-verification-email',
    {
      summary: 'Mail a link that verifies the own address',
      access: 'signed-in',
      body: z.object({ emailLang }),
      reply: Success,
      errors: ['ALREADY_VERIFIED'],
    },
    async ({ body, caller, services }) => {
      const { user } = caller;
      if (user.emailVerifiedAt !== null) throw refuse('ALREADY_VERIFIED');
      await services.limiter.consume(mailLimits(KIND, user.email));
      mailVerification(services, user, body.emailLang);
      return { body: { success: true } };
    },
  ),

  get(
    '/verify-email',
    {
      summary: 'Verify an address with the token of the mailed link',
      reply: Success,
      errors: ['INVALID_VERIFICATION_TOKEN'],
      redirects: true,
      consumes: true,
    },
    async ({ query, request, services }) => {
      const page = `${services.config.APP_URL}/email-verified`;
      try {
        await verifyEmail(services, request, query.get('token') ?? '');
      } catch (error) {
        if (!request.prefersHtml || !(error instanceof HttpError)) throw error;
        return redirect(`${page}?error=${error.code}`);
      }
      return request.prefersHtml ? redirect(page) : { body: { success: true } };
    },
  ),
];
