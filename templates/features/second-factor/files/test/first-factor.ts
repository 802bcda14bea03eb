import { requestFacts } from '../src/http/request.js';
import { finishLogin } from '../src/session/finish-login.js';
import type { TestService } from './service.js';

/**
 * Signs a user in by a first factor, whichever it is, and returns the answer that a bearer client
 * would get: tokens, or the challenge. Throws what a route would answer with.
 */
export async function passFirstFactor(service: TestService, userId: string, method = 'local') {
  const request = requestFacts({
    method: 'POST',
    params: {},
    search: '',
    ip: '127.0.0.1',
    header: (name) => (name === 'x-auth-strategy' ? 'bearer' : undefined),
    readBody: async () => Buffer.alloc(0),
  });
  const reply = await finishLogin(service.services, request, { userId, method });
  return reply.body as Record<string, unknown> & { tempToken?: string };
}
