import { z } from 'zod';
import type { Config } from '../../config.js';
import { defineFeature } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { type Call, post, type Result, type Route } from '../../http/route.js';
import { defaultRole, onRegister } from '../../policy.js';
import { onOff } from '../../process/environment.js';
import { openAccount } from '../../users/account.js';
import { prepareCredential, RegisterBody, type RegistrationInput } from './new-account.js';

function isOpen(config: Config): boolean {
  return config.REGISTRATION && onRegister !== undefined;
}

/**
 * Opens an account if the policy accepts it. Only the metadata that the callback names reaches the account, so
 * no field of the body can make an administrator.
 * Throws VALIDATION_FAILED, REGISTRATION_REJECTED, USER_EXISTS.
 */
async function register({ body, request, services }: Call<RegistrationInput>): Promise<Result> {
  if (!onRegister) throw refuse('NOT_FOUND');
  const { email, language } = body;
  const addCredential = await prepareCredential(services, body);
  const decision = await onRegister(body);
  if ('rejection' in decision) {
    throw refuse('REGISTRATION_REJECTED', { message: decision.rejection });
  }
  const { metadata } = decision;
  const newUser = { email, loginProvider: 'local', metadata, role: defaultRole };
  const user = await services.transaction((tx) =>
    openAccount(tx, newUser, { request, language }, addCredential),
  );
  if (!user) throw refuse('USER_EXISTS');
  return { body: { success: true, userId: user.id } };
}

export const registration = defineFeature({
  variables: {
    /** `off` unmounts `/register`. */
    REGISTRATION: onOff().prefault('on'),
  },
  errors: {
    REGISTRATION_REJECTED: [400, 'This registration is not allowed.'],
    USER_EXISTS: [409, 'There is an account with this address already.'],
  },
  limits: {
    registrationPerIp: { points: 20, seconds: 3600, scope: 'shared' },
  },
  uiFeatures: (config: Config) => ({ register: isOpen(config) }),
  routes: (): Route[] => [
    post(
      '/register',
      {
        summary: 'Open an account',
        body: RegisterBody,
        reply: z.object({ success: z.literal(true), userId: z.string() }),
        status: 201,
        errors: ['REGISTRATION_REJECTED', 'USER_EXISTS'],
        limits: ({ request }) => [['registrationPerIp', request.ip]],
        isMounted: isOpen,
      },
      register,
    ),
  ],
});
