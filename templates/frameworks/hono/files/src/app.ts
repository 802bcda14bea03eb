import { Hono } from 'hono';
import { type AuthEnv, authApp, refuseErrors, refuseUnknownPaths } from './http/mount.js';
import type { Services } from './services.js';

/** The Hono app. This file is yours: no upgrade changes it. */
export function createApp(services: Services): Hono<AuthEnv> {
  const app = new Hono<AuthEnv>();

  app.route('/', authApp(services));

  // Your routes go here. A signed-in user's context carries `caller`:
  // app.get('/hello', requireUser(services), (c) => c.json({ hello: c.var.caller.user.email }));

  app.notFound(refuseUnknownPaths(services));
  app.onError(refuseErrors(services));
  return app;
}
