import { z } from 'zod';
import { refuse } from '../../http/errors.js';
import { post } from '../../http/route.js';
import { emailLang } from '../../mail/language.js';
import { mailLimits } from '../../mail/mail-limits.js';
import { Success } from '../../session/views.js';
import { emailField } from '../../users/email.js';
import { confirmEmailChange, KIND, requestEmailChange } from './change.js';
import { codeForStale, staleErrors } from './stale.js';

export const emailChangeRoutes = [
  post(
    '/change-email/request',
    {
      summary: 'Mail a link to a new address that moves the account there',
      access: 'fresh',
      staleCode: codeForStale,
      errors: staleErrors,
      body: z.object({ newEmail: emailField, emailLang }),
      reply: Success,
      limits: ({ caller }) => mailLimits(KIND, caller.user.email),
    },
    async ({ body, caller, services }) => {
      if (body.newEmail === caller.user.email) {
        const message = 'This is the address of the account already.';
        throw refuse('VALIDATION_FAILED', { details: [{ path: 'newEmail', message }] });
      }
      requestEmailChange(services, caller, body.newEmail, body.emailLang);
      return { body: { success: true } };
    },
  ),

  post(
    '/change-email/confirm',
    {
      summary: 'Move the account with the token of the mail',
      body: z.object({ token: z.string().min(1).max(512) }),
      reply: Success,
      errors: ['INVALID_EMAIL_CHANGE_TOKEN', 'EMAIL_IN_USE'],
    },
    async ({ body, request, services }) => {
      await confirmEmailChange(services, request, body.token);
      return { body: { success: true } };
    },
  ),
];
