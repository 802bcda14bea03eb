import type { RequestHandler } from 'express';
import type { Services } from '../services.js';
import { admitCaller } from '../session/admit-caller.js';
import type { Caller } from '../session/caller.js';
import { requestReader } from './node-request.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** The signed-in user, behind `requireUser`. */
    caller?: Caller;
  }
}

/**
 * Middleware for your own routes: lets signed-in users pass, with `request.caller` set, and checks
 * the CSRF token of unsafe cookie requests. With `permission`, their roles must allow it too.
 */
export function requireUser(services: Services, permission?: string): RequestHandler {
  const read = requestReader(services.config);
  return async (request, _response, next) => {
    request.caller = await admitCaller(services, read(request), permission);
    next();
  };
}
