import { type FastifyInstance, fastify } from 'fastify';
import { serverOptions } from './http/listen.js';
import { authPlugin, refuseErrors, refuseUnknownPaths } from './http/mount.js';
import type { Services } from './services.js';

/** The Fastify app. This file is yours: no upgrade changes it. */
export function createApp(services: Services): FastifyInstance {
  const app = fastify(serverOptions(services));

  app.register(authPlugin, { services });

  // Your routes and plugins go here. A signed-in user's request carries `request.caller`:
  // app.get('/hello', { preHandler: requireUser(services) }, async (request) => ({
  //   hello: request.caller?.user.email,
  // }));

  app.register(refuseUnknownPaths, { services });
  app.setErrorHandler(refuseErrors(services));
  return app;
}
