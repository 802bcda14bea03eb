import type { Express } from 'express';
import type { Config } from './config.js';
import { createHttpServer, listenOn, type Server } from './http/server.js';
import { refuseUnreadable } from './http/unreadable.js';

/** Starts the app on HOST and PORT. Throws if the port is taken. */
export function listen(app: Express, config: Config): Promise<Server> {
  return listenOn(createHttpServer(config, app).on('clientError', refuseUnreadable), config);
}
