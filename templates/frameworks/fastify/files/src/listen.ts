import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { Config } from './config.js';
import { trustedProxies } from './http/client-address.js';
import { refuseErrors } from './http/mount.js';
import { createHttpServer, gracefulEnd, type Server, urlOf } from './http/server.js';
import { refuseUnreadable } from './http/unreadable.js';
import type { Services } from './services.js';

/** As long as the headers may be: the service's own parameters are looked up, never matched by expressions. */
const MAX_PARAM_LENGTH = 16 * 1024;

/** What Fastify has to know so that it answers as the service does; add what your own routes need. */
export function serverOptions(services: Services) {
  const { config } = services;
  return {
    serverFactory: (listener) => createHttpServer(config, listener),
    trustProxy: trustedProxies(config),
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: refuseErrors(services),
    // Whoever still has a connection while the service ends is answered as ever, and told to close it.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
  } satisfies FastifyServerOptions;
}

/** Starts the app on HOST and PORT. Throws if the port is taken. */
export async function listen(app: FastifyInstance, config: Config): Promise<Server> {
  const endGracefully = gracefulEnd(app.server);
  await app.listen({ host: config.HOST, port: config.PORT });
  return { url: urlOf(app.server, config), close: () => endGracefully(() => app.close()) };
}
