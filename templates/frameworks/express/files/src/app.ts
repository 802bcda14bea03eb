import express, { type Express } from 'express';
import { authRouter, refuseErrors, refuseUnknownPaths } from './http/mount.js';
import { trustedProxies } from './http/request.js';
import type { Services } from './services.js';

/** The Express app. This file is yours: no upgrade changes it. */
export function createApp(services: Services): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustedProxies(services.config));

  app.use(authRouter(services));

  // Your routes go here. A signed-in user's request carries `request.caller`:
  // app.get('/hello', requireUser(services), (request, response) => {
  //   response.json({ hello: request.caller?.user.email });
  // });

  app.use(refuseUnknownPaths(services));
  app.use(refuseErrors(services));
  return app;
}
