import { z } from 'zod';
import type { Db } from '../../db/schema.js';
import { defineFeature, event } from '../../feature.js';
import { Issued, Success } from '../../http/replies.js';
import { post, type Route } from '../../http/route.js';
import { emailLang, mailLimits } from '../../mail/compose-mail.js';
import { text, wholeNumber } from '../../process/environment.js';
import type { Credential } from '../../session/credentials.js';
import type { Reauthentication } from '../../session/reauthentication.js';
import { knownEmail } from '../../users/user.js';
import { changePassword, requirePassword, resetPassword } from './change-password.js';
import { logIn, METHOD } from './login.js';
import { KIND, passwordChanged, passwordReset } from './mails.js';
import { passwordField, requireAcceptable } from './password.js';
import { passwordStore } from './store.js';

/** The current password stands in for a recent sign-in. */
const reauthentication: Reauthentication = {
  field: 'currentPassword',
  refuses: 'INVALID_CURRENT_PASSWORD',
  async verify(services, caller, value) {
    await requirePassword(services, caller.user.id, value);
  },
};

/** A password opens its account by itself. */
const credential: Credential = {
  async opensAccount({ password }, userId) {
    return (await password.findHash(userId)) !== undefined;
  },
  async forget(services, userId) {
    await services.password.remove(userId);
  },
};

const LoginBody = z.object({ email: knownEmail, password: passwordField, emailLang });
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

export const password = defineFeature({
  variables: {
    /** Each step doubles the time of a hash; OWASP asks for 10 at least, past 15 a login takes seconds. */
    BCRYPT_COST: wholeNumber(10, 15).prefault('12'),
    BOOTSTRAP_ADMIN_PASSWORD: text().optional(),
  },
  mails: { passwordReset, passwordChanged },
  errors: {
    INVALID_CREDENTIALS: [401, 'The email address or the password is wrong.'],
    INVALID_CURRENT_PASSWORD: [400, 'The current password is wrong.'],
    INVALID_RESET_TOKEN: [400, 'This link is no longer valid.'],
  },
  limits: {
    loginPerIp: { points: 10, seconds: 60, scope: 'shared' },
    /** Counts wrong and right passwords alike; a right one starts the count anew. */
    loginOfAccount: { points: 5, seconds: 300, scope: 'shared', isGrowing: true },
    /** Guesses of the current password by whoever holds a session. */
    passwordProofOfAccount: { points: 5, seconds: 300, scope: 'shared', isGrowing: true },
  },
  events: {
    'identity.user.password.changed': event<{ method: 'change' | 'reset' }>(),
  },
  reauthentication,
  credential,
  uiFeatures: () => ({ forgotPassword: true }),
  stores: (db: Db) => ({ password: passwordStore(db) }),
  routes: (): Route[] => [
    post(
      '/login',
      {
        summary: 'Sign in with email and password',
        body: LoginBody,
        reply: Issued,
        errors: ['INVALID_CREDENTIALS'],
        signsIn: METHOD,
        limits: ({ body, request }) => [
          ['loginPerIp', request.ip],
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
        limits: ({ body }) => mailLimits(KIND, body.email),
      },
      async ({ body, services }) => {
        const { email, emailLang: language } = body;
        await services.mails.add('passwordReset', { email, language });
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
        summary: 'Change your password',
        access: 'signed-in',
        body: ChangeBody,
        reply: Success,
        errors: ['INVALID_CURRENT_PASSWORD', 'REAUTHENTICATION_REQUIRED'],
      },
      async (call) => {
        await requireAcceptable(call.body.newPassword, 'newPassword');
        await changePassword(call);
        return { body: { success: true } };
      },
    ),
  ],
});
