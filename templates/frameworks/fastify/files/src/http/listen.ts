import type { Server as HttpServer } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import type { Services } from '../services.js';
import { refuseErrors } from './mount.js';
import { trustedProxies } from './request.js';
import { runningServer, type Server, serverLimits } from './server.js';

/** What the service needs of Fastify; add what your own routes need. */
export function serverOptions(services: Services) {
  const { config } = services;
  const http = serverLimits(config);
  return {
    http,
    // Fastify sets these two itself, whatever `http` says.
    requestTimeout: http.requestTimeout,
    keepAliveTimeout: http.keepAliveTimeout,
    trustProxy: trustedProxies(config),
    // A broken percent-encoding is refused before any route.
    frameworkErrors: refuseErrors(services),
    // Whoever still has a connection while the service ends is answered as ever, and told to close it.
    return503OnClosing: false,
    // As long as the headers may be; the default of 100 would make another error of a long parameter.
    routerOptions: { maxParamLength: 16 * 1024 },
  } satisfies FastifyHttpOptions<HttpServer>;
}

/** Starts the app on HOST and PORT. Throws if the port is taken. */
export async function listen(app: FastifyInstance, { config }: Services): Promise<Server> {
  await app.listen({ host: config.HOST, port: config.PORT });
  return runningServer(app.server, config, () => app.close());
}
