import * as z from 'zod';
import type { Config } from '../../config.js';
import { defineFeature } from '../../feature.js';
import { type Cookie, readSessionCookie, sessionCookie } from '../../http/cookies.js';
import { refuse } from '../../http/errors.js';
import { isBearerRequest } from '../../http/request.js';
import { type Call, post, type Result, type Route } from '../../http/route.js';
import { defaultRole, onRegister } from '../../policy.js';
import { now } from '../../process/clock.js';
import { onOff } from '../../process/environment.js';
import { randomId } from '../../process/random.js';
import type { Services } from '../../services.js';
import type { OwnBrowser } from '../../session/credentials.js';
import { signToken, verifyToken } from '../../session/tokens.js';
import { openAccount } from '../../users/account.js';
import { requireAcceptableEmail } from '../../users/user.js';
import { prepareCredential, RegisterBody, type RegistrationInput } from './new-account.js';

export function isOpen(config: Config): boolean {
  return config.REGISTRATION && onRegister !== undefined;
}

/**
 * Creates an account if the policy accepts it. Only the metadata that the callback names reaches the account, so
 * no field of the body can make an administrator.
 * Throws VALIDATION_FAILED, REGISTRATION_REJECTED, USER_EXISTS.
 */
async function register({ body, request, services }: Call<RegistrationInput>): Promise<Result> {
  if (!onRegister) throw refuse('NOT_FOUND');
  const { email } = body;
  await requireAcceptableEmail(email, 'email');
  const addCredential = await prepareCredential(services, body);
  const decision = await onRegister({ ...body, language: request.language });
  if ('rejection' in decision) {
    const { rejection: message, field: path } = decision;
    const details = path === undefined ? undefined : [{ path, message }];
    throw refuse('REGISTRATION_REJECTED', { message, details });
  }
  const { metadata } = decision;
  const newUser = { email, loginProvider: 'local', metadata, role: defaultRole };
  const user = await services.transaction((tx) =>
    openAccount(tx, newUser, { request }, addCredential),
  );
  if (!user) throw refuse('USER_EXISTS');
  const cookies = isBearerRequest(request) ? [] : [newcomerCookie(services, user.id)];
  return { body: { success: true, userId: user.id }, cookies };
}

const DAY = 24 * 60 * 60 * 1000;
const NEWCOMER = 'newcomer';

/** Until the link of a verification expires, this browser is known as the one that created the account. */
function newcomerCookie({ config, keys }: Services, userId: string): Cookie {
  const time = now();
  const claims = { sub: userId, typ: NEWCOMER, jti: randomId() };
  const token = signToken(config, keys.access, claims, time, time + DAY);
  return sessionCookie(config, 'newcomer', token, DAY / 1000);
}

const openedHere: OwnBrowser = async ({ config, keys }, request, userId) => {
  const token = readSessionCookie(config, request, 'newcomer');
  return verifyToken(config, keys.access, NEWCOMER, token)?.sub === userId;
};

export const registration = defineFeature({
  variables: {
    REGISTRATION: onOff().prefault('on'),
  },
  errors: {
    REGISTRATION_REJECTED: [400, 'This registration is not allowed.'],
    USER_EXISTS: [409, 'There is already an account with this address.'],
  },
  limits: {
    registrationPerIp: { points: 20, seconds: 3600 },
  },
  uiFeatures: (config: Config) => ({ register: isOpen(config) }),
  ownBrowser: openedHere,
  routes: (): Route[] => [
    post('/register', {
      summary: 'Create an account',
      body: RegisterBody,
      reply: z.object({ success: z.literal(true), userId: z.string() }),
      status: 201,
      errors: ['REGISTRATION_REJECTED', 'USER_EXISTS'],
      limits: ({ request }) => [['registrationPerIp', request.ip]],
      isMounted: isOpen,
      handle: register,
    }),
  ],
});
