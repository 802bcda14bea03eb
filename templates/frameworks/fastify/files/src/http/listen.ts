import type { Server as HttpServer } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import type { Services } from '../services.js';
import { refuseErrors } from './mount.js';
import { trustedProxies } from './request.js';
import { runningServer, type Server, serverLimits } from './server.js';

/** The options that the service needs; add those that your own routes need. */
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
    // Requests on open connections during shutdown are answered as usual, and told to close the connection.
    return503OnClosing: false,
    // As long as the headers may be; with the default of 100 a long parameter would cause another error.
    routerOptions: { maxParamLength: 16 * 1024 },
  } satisfies FastifyHttpOptions<HttpServer>;
}

/** Starts the app on HOST and PORT. Throws if the port is taken. */
export async function listen(
  app: Pick<FastifyInstance, 'server' | 'listen' | 'close'>,
  { config }: Services,
): Promise<Server> {
  // Node answers a malformed HTTP request with a bare status; Fastify would use a format of its own.
  app.server.removeAllListeners('clientError');
  await app.listen({ host: config.HOST, port: config.PORT });
  return runningServer(app.server, config, () => app.close());
}
