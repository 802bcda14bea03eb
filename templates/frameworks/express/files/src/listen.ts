import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import type { Config } from './config.js';
import { refuseUnreadable } from './http/unreadable.js';

export interface Server {
  url: string;
  /** Takes no more connections and resolves when the requests in flight are answered. */
  close(): Promise<void>;
}

const SWEEP_MS = 50;
/** What a request gets to finish; main.ts gives the whole shutdown 10 s. */
const PATIENCE_MS = 8_000;

/** Starts the app on HOST and PORT. Throws if the port is taken. */
export async function listen(app: Express, config: Config): Promise<Server> {
  const server = createServer(app).on('clientError', refuseUnreadable);
  server.listen(config.PORT, config.HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${config.HOST}:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      // A connection that turns idle after its last answer would hold the server open for seconds.
      const sweeping = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      // A client that never ends its request must not keep the database from being closed.
      const impatience = setTimeout(() => server.closeAllConnections(), PATIENCE_MS);
      await closed;
      clearTimeout(impatience);
      clearInterval(sweeping);
    },
  };
}
