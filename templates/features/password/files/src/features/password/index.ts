import { z } from 'zod';
import { post } from '../../http/route.js';
import { emailLang } from '../../mail/language.js';
import { mailLimits } from '../../mail/mail-limits.js';
import { Issued, Success } from '../../session/views.js';
import { knownEmail } from '../../users/email.js';
import { changePassword } from './change.js';
import { logIn } from './login.js';
import { requireAcceptable } from './new-password.js';
import { passwordField } from './password-field.js';
import { requestReset, resetPassword } from './reset.js';

const LoginBody = z.object({ email: knownEmail, password: passwordField });
const ForgotBody = z.object({ email: knownEmail, emailLang });
const ResetBody = z
  .object({
    token: z.string().min(1),
    newPassword: passwordField.optional(),
    /** The name by which older clients send it. */
    password: passwordField.optional(),
  })
  .transform(({ token, newPassword, password }) => ({
    token,
    newPassword: newPassword ?? password,
  }))
  .pipe(z.object({ token: z.string(), newPassword: passwordField }));
const ChangeBody = z.object({
  currentPassword: passwordField.or(z.literal('')),
  newPassword: passwordField,
});

export const passwordRoutes = [
  post(
    '/login',
    {
      summary: 'Sign in with email and password',
      body: LoginBody,
      reply: Issued,
      errors: ['INVALID_CREDENTIALS'],
      signsIn: true,
      limits: ({ body, request }) => [
        ['loginOfAddress', request.ip],
        ['loginOfAccount', body.email],
      ],
    },
    logIn,
  ),

  post(
    '/forgot-password',
    {
      summary: 'Mail a link that resets the password',
      body: ForgotBody,
      reply: Success,
      limits: ({ body }) => mailLimits('password-reset', body.email),
    },
    async ({ body, services }) => {
      requestReset(services, body.email, body.emailLang);
      return { body: { success: true } };
    },
  ),

  post(
    '/reset-password',
    {
      summary: 'Set a new password with the token of the mail',
      body: ResetBody,
      reply: Success,
      errors: ['INVALID_RESET_TOKEN'],
    },
    async ({ body, request, services }) => {
      await requireAcceptable(body.newPassword, 'newPassword');
      await resetPassword(services, request, body.token, body.newPassword);
      return { body: { success: true } };
    },
  ),

  post(
    '/change-password',
    {
      summary: 'Change the own password',
      access: 'signed-in',
      body: ChangeBody,
      reply: Success,
      errors: ['INVALID_CURRENT_PASSWORD', 'REAUTHENTICATION_REQUIRED'],
      limits: ({ caller }) => [['passwordProofOfAccount', caller.user.id]],
    },
    async (call) => {
      await requireAcceptable(call.body.newPassword, 'newPassword');
      await changePassword(call);
      return { body: { success: true } };
    },
  ),
];
