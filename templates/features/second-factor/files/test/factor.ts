import { finishLogin } from '../src/session/finish-login.js';
import type { TestService } from './service.js';
import { someRequest } from './sign-in-as.js';

/**
 * Signs a user in by a first factor, whichever it is, and returns the answer that a bearer client
 * would get: tokens, or the challenge. Throws what a route would answer with.
 */
export async function passFirstFactor(service: TestService, userId: string, method = 'local') {
  const request = { ...someRequest(), wantsBearer: true };
  const reply = await finishLogin(service.services, request, { userId, method });
  return reply.body as Record<string, unknown> & { tempToken?: string };
}
