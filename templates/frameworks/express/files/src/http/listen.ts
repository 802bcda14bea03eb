import { createServer } from 'node:http';
import type { Express } from 'express';
import type { Config } from '../config.js';
import { listenOn, type Server, serverLimits } from './server.js';

/** Starts the app on HOST and PORT. Throws if the port is taken. */
export function listen(app: Express, config: Config): Promise<Server> {
  return listenOn(createServer(serverLimits(config), app), config);
}
