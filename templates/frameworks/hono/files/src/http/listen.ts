import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Services } from '../services.js';
import { answerError } from './answer.js';
import { refuse } from './errors.js';
import type { AuthEnv } from './mount.js';
import { originForm } from './request.js';
import { listenOn, type Server, serverLimits, writeResponse } from './server.js';

/** Dot segments and what else Hono would resolve: a proxy that lets `/auth/../admin` pass has read another path. */
const UNRESOLVED = /^(?:\*$|[^?]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?#]|$)))/i;

/** Starts the app on HOST and PORT. Throws if the port is taken. */
export function listen(app: Pick<Hono<AuthEnv>, 'fetch'>, services: Services): Promise<Server> {
  const { config } = services;
  const { host } = new URL(config.BASE_URL);
  // Node itself ends a body that was not read, by REQUEST_TIMEOUT.
  const listener = getRequestListener(app.fetch, { autoCleanupIncoming: false });
  const server = createServer(serverLimits(config), (incoming, outgoing) => {
    // `c.req.url` is built from these two: it must have BASE_URL's host, not one that a client claims.
    // In development the claimed one tells whether a page on this machine asks for the mails.
    if (config.NODE_ENV !== 'development') incoming.headers.host = host;
    incoming.url = originForm(incoming.url);
    if (UNRESOLVED.test(incoming.url)) {
      writeResponse(outgoing, answerError(services, incoming, refuse('NOT_FOUND')));
    } else listener(incoming, outgoing);
  });
  return listenOn(server, config);
}
