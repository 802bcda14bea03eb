import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Services } from '../services.js';
import { admitCaller } from '../session/admit-caller.js';
import type { AuthEnv } from './mount.js';
import { requestReader } from './node-request.js';

/**
 * Middleware for your own routes: lets signed-in users pass, with `c.var.caller` set, and checks
 * the CSRF token of unsafe cookie requests. With `permission`, their roles must allow it too.
 */
export function requireUser(services: Services, permission?: string): MiddlewareHandler<AuthEnv> {
  const read = requestReader(services.config);
  return createMiddleware<AuthEnv>(async (c, next) => {
    c.set('caller', await admitCaller(services, read(c.env.incoming), permission));
    await next();
  });
}
