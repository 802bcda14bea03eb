import { createServer } from 'node:http';
import type { Express } from 'express';
import type { Services } from '../services.js';
import { readBodiesFirst } from './mount.js';
import { listenOn, type Server, serverLimits } from './server.js';

/** Starts the app on HOST and PORT. Throws if the port is taken. */
export function listen(app: Express, services: Services): Promise<Server> {
  const { config } = services;
  const readFirst = readBodiesFirst(services);
  const server = createServer(serverLimits(config), (request, response) =>
    readFirst(request, response, () => app(request, response)),
  );
  return listenOn(server, config);
}
