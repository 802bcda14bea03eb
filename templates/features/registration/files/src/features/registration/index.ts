import { z } from 'zod';
import { refuse } from '../../http/errors.js';
import { post } from '../../http/route.js';
import { onRegister } from '../../policy.js';
import { emailField } from '../../users/email.js';
import { passwordField } from '../password/password-field.js';
import { register } from './register.js';

/** Further fields pass through to the registration callback, and no further. */
const RegisterBody = z
  .looseObject({ email: emailField, password: passwordField })
  .transform(({ email, password, ...fields }) => ({ email, password, fields }));

export const registrationRoutes = [
  post(
    '/register',
    {
      summary: 'Open an account',
      body: RegisterBody,
      reply: z.object({ success: z.literal(true), userId: z.string() }),
      status: 201,
      errors: ['REGISTRATION_REJECTED', 'USER_EXISTS'],
      limits: ({ request }) => [['registrationOfAddress', request.ip]],
      isMounted: (config) => config.REGISTRATION && onRegister !== undefined,
    },
    async ({ body, request, services }) => {
      if (!onRegister) throw refuse('NOT_FOUND');
      return {
        body: { success: true, userId: await register(services, request, onRegister, body) },
      };
    },
  ),
];
