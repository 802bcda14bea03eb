import { z } from 'zod';
import type { Config } from '../../config.js';
import { defineFeature } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { post, type Route } from '../../http/route.js';
import { onRegister } from '../../policy.js';
import { onOff } from '../../process/environment.js';
import { RegisterBody } from './new-account.js';
import { register } from './register.js';

function isOpen(config: Config): boolean {
  return config.REGISTRATION && onRegister !== undefined;
}

export const registration = defineFeature({
  variables: {
    /** `off` unmounts `/register`. */
    REGISTRATION: onOff().prefault('on'),
  },
  errors: {
    REGISTRATION_REJECTED: [400, 'This registration is not possible.'],
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
      async ({ body, request, services }) => {
        if (!onRegister) throw refuse('NOT_FOUND');
        return {
          body: { success: true, userId: await register(services, request, onRegister, body) },
        };
      },
    ),
  ],
});
