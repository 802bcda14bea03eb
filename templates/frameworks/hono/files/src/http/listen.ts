import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Services } from '../services.js';
import type { AuthEnv } from './mount.js';
import { listenOn, type Server, serverLimits } from './server.js';

/** Starts the app on HOST and PORT. Throws if the port is taken. */
export function listen(app: Hono<AuthEnv>, { config }: Services): Promise<Server> {
  const { host } = new URL(config.BASE_URL);
  // Node itself ends a body that was not read, by REQUEST_TIMEOUT.
  const listener = getRequestListener(app.fetch, { autoCleanupIncoming: false });
  const server = createServer(serverLimits(config), (incoming, outgoing) => {
    // `c.req.url` is built from this header: it must be BASE_URL's host, not one that a client claims.
    incoming.headers.host = host;
    listener(incoming, outgoing);
  });
  return listenOn(server, config);
}
