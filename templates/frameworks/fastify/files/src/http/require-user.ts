import type { preHandlerAsyncHookHandler } from 'fastify';
import type { Services } from '../services.js';
import { admitCaller } from '../session/admit-caller.js';
import type { Caller } from '../session/caller.js';
import { requestReader } from './node-request.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user, behind `requireUser`. */
    caller: Caller | undefined;
  }
}

/**
 * A `preHandler` for your own routes: lets signed-in users pass, with `request.caller` set, and checks
 * the CSRF token of unsafe cookie requests. With `permission`, their roles must allow it too.
 */
export function requireUser(services: Services, permission?: string): preHandlerAsyncHookHandler {
  const read = requestReader(services.config);
  return async (request) => {
    request.caller = await admitCaller(services, read(request.raw), permission);
  };
}
