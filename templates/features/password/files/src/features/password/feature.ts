import * as z from 'zod';
import type { Db } from '../../db/schema.js';
import { defineFeature, event } from '../../feature.js';
import { Issued, post, type Route } from '../../http/route.js';
import { mailLimits } from '../../mail/compose-mail.js';
import { secret, variable, wholeNumber } from '../../process/environment.js';
import type { Credential } from '../../session/credentials.js';
import { accountKeyOf, guessKeyOf } from '../../session/device.js';
import type { Reauthentication } from '../../session/reauthentication.js';
import { knownEmail } from '../../users/user.js';
import { changePassword, requirePassword, resetPassword } from './change-password.js';
import { logIn, METHOD } from './login.js';
import { KIND, passwordChanged, passwordReset } from './mails.js';
import { ADMIN_PASSWORD_LENGTH, adminPassword, passwordField } from './password.js';
import { passwordStore } from './store.js';

/** The current password replaces a recent sign-in. */
const reauthentication: Reauthentication = {
  field: 'currentPassword',
  shows: METHOD,
  refuses: 'INVALID_CURRENT_PASSWORD',
  async verify(services, caller, value) {
    await requirePassword(services, caller.user.id, value);
  },
};

/** A password alone signs in to its account. */
const credential: Credential = {
  async opensAccount({ password }, userId) {
    return (await password.findHash(userId)) !== undefined;
  },
  async forget({ password }, userId) {
    return (await password.remove(userId)) ? [{ en: 'the password', de: 'das Passwort' }] : [];
  },
};

const LoginBody = z.object({ email: knownEmail, password: passwordField });
const ForgotBody = z.object({ email: knownEmail });
const ResetBody = z
  .object({
    token: z.string().min(1),
    newPassword: passwordField.optional(),
    /** The name that older clients use. */
    password: passwordField.optional(),
  })
  .transform(({ token, password, newPassword = password }) => ({ token, newPassword }))
  .pipe(z.object({ token: z.string(), newPassword: passwordField }));
/** Loose: another field may hold the proof for an account without a password. */
const ChangeBody = z.looseObject({
  currentPassword: passwordField.or(z.literal('')),
  newPassword: passwordField,
});

export const password = defineFeature({
  variables: {
    /** Each step doubles the time of a hash; OWASP asks for 10 at least, and above 15 a login takes seconds. */
    BCRYPT_COST: wholeNumber(10, 15).prefault('12'),
    /** Checked at each start, so that a short one does not remain after the account is created. */
    BOOTSTRAP_ADMIN_PASSWORD: secret(
      variable(
        `a password of at least ${ADMIN_PASSWORD_LENGTH} characters and at most 72 bytes`,
        (value) => adminPassword.safeParse(value).data,
      ).optional(),
    ),
  },
  mails: { passwordReset, passwordChanged },
  errors: {
    INVALID_CREDENTIALS: [401, 'The email address or the password is wrong.'],
    INVALID_CURRENT_PASSWORD: [400, 'The current password is wrong.'],
    INVALID_RESET_TOKEN: [400, 'This link is no longer valid.'],
  },
  limits: {
    loginPerIp: { points: 10, seconds: 60 },
    /** Counts guesses. A correct password is not counted, so nobody sees when the owner signs in. */
    loginOfAccount: { points: 5, seconds: 300, isGrowing: true },
    forgotPasswordPerIp: { points: 20, seconds: 3600 },
    /** Guesses at the current password by whoever holds a session. */
    passwordProofOfAccount: { points: 5, seconds: 300, isGrowing: true },
  },
  events: {
    'identity.user.password.changed': event<{ method: 'change' | 'reset' }>(),
  },
  reauthentication,
  amr: { [METHOD]: 'pwd' },
  credential,
  uiFeatures: () => ({ forgotPassword: true }),
  stores: (db: Db) => ({ password: passwordStore(db) }),
  routes: (): Route[] => [
    post('/login', {
      summary: 'Sign in with email and password',
      body: LoginBody,
      reply: Issued,
      errors: ['INVALID_CREDENTIALS'],
      signsIn: METHOD,
      limits: async ({ body, request, services }) => [
        ['loginPerIp', request.ip],
        ['loginOfAccount', await guessKeyOf(services, request, body)],
      ],
      handle: logIn,
    }),

    post('/forgot-password', {
      summary: 'Mail a link that resets the password',
      body: ForgotBody,
      async limits({ body, request, services }) {
        const account = await accountKeyOf(services, request, body);
        return mailLimits(KIND, account, ['forgotPasswordPerIp', request.ip]);
      },
      handle: async ({ body: { email }, request: { language }, services }) => {
        await services.mails.add('passwordReset', { email, language });
      },
    }),

    post('/reset-password', {
      summary: 'Set a new password with the mailed token',
      body: ResetBody,
      readsCredential: 'accessToken',
      errors: ['INVALID_RESET_TOKEN'],
      limits: ({ request }) => [['secretsPerIp', request.ip]],
      handle: resetPassword,
    }),

    post('/change-password', {
      summary: 'Change your password',
      access: 'signed-in',
      body: ChangeBody,
      mayRequire: 'fresh',
      handle: changePassword,
    }),
  ],
});
