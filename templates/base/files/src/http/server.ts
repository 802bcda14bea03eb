import { once } from 'node:events';
import type { Server as HttpServer, ServerOptions, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { Config } from '../config.js';
import type { HttpResponse } from './response.js';

/** A service that listens. */
export interface Server {
  url: string;
  /** Takes no more connections and resolves when the requests in flight are answered. */
  close(): Promise<void>;
}

const HEADERS_MS = 10_000;
const HEADER_BYTES = 16 * 1024;
const SWEEP_MS = 50;
/** What a request gets to finish, a script's 5 s included; main.ts gives the whole shutdown 10 s. */
const PATIENCE_MS = 6_000;

/** Limits of Node's HTTP server: whoever sends a request slower than REQUEST_TIMEOUT, so as to hold connections, gets 408. */
export function serverLimits({ REQUEST_TIMEOUT }: Config) {
  return {
    requestTimeout: REQUEST_TIMEOUT,
    headersTimeout: Math.min(HEADERS_MS, REQUEST_TIMEOUT),
    connectionsCheckingInterval: 1_000,
    // Longer than the 60 s after which common load balancers drop an idle connection: were the service
    // the first to hang up, a balancer would send requests into a connection that is being closed.
    keepAliveTimeout: 65_000,
    maxHeaderSize: HEADER_BYTES,
  } satisfies ServerOptions;
}

/** Listens on HOST and PORT. Throws if the port is taken. */
export async function listenOn(server: HttpServer, config: Config): Promise<Server> {
  server.listen(config.PORT, config.HOST);
  await once(server, 'listening');
  return runningServer(server, config, () => server.close());
}

/** A server that listens, with a graceful end; `close` is what ends it for its framework. */
export function runningServer(server: HttpServer, config: Config, close: () => unknown): Server {
  // Node drops headers past the 2,000th: that may be the address which a proxy has added. maxHeaderSize bounds them.
  server.maxHeadersCount = 0;
  const { port } = server.address() as AddressInfo;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  /** A connection whose response was under way turns idle after it, and would hold the server open. */
  function closeIdle(): void {
    server.closeIdleConnections();
    // To Node, a connection that nothing was sent over is not idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  return {
    url: `http://${config.HOST}:${port}`,
    async close() {
      // So that no client sends another request into a connection that is being closed.
      server.prependListener('request', (_request, response) => {
        response.setHeader('connection', 'close');
      });
      const closed = once(server, 'close');
      const closing = close();
      const sweeping = setInterval(closeIdle, SWEEP_MS);
      // A client that never ends its request must not keep the database from being closed.
      const impatience = setTimeout(() => server.closeAllConnections(), PATIENCE_MS);
      await closed;
      clearInterval(sweeping);
      clearTimeout(impatience);
      await closing;
    },
  };
}

/** Written straight to the socket: the response is complete, and a framework would only hash and copy it. */
export function writeResponse(
  response: ServerResponse,
  { status, headers, cookies, body }: HttpResponse,
): void {
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(status, headers);
  // Half of it is sent if reading fails: the connection is then closed, so that it does not pass for the whole.
  if (body instanceof Readable) pipeline(body, response, () => {});
  else response.end(body);
}
