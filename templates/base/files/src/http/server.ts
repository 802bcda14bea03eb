import { once } from 'node:events';
import type { Server as HttpServer, ServerOptions, ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { Config } from '../config.js';
import type { HttpResponse } from './response.js';

export interface Server {
  url: string;
  /** Accepts no more connections, and resolves once the requests in flight are answered. */
  close(): Promise<void>;
}

const HEADERS_MS = 10_000;
const HEADER_BYTES = 16 * 1024;
const SWEEP_MS = 50;
/** How long a connection that was just opened has to send its request once the shutdown has begun. */
const SILENCE_MS = 250;
/** How long a request may take to finish, including a script's 5 s; main.ts gives the whole shutdown 10 s. */
const PATIENCE_MS = 6_000;

/** Limits of Node's HTTP server: a request that takes longer than REQUEST_TIMEOUT to arrive gets 408. */
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

/** A listening server with a graceful shutdown; `close` is how its framework closes it. */
export function runningServer(server: HttpServer, config: Config, close: () => unknown): Server {
  // Node drops headers past the 2,000th: a proxy may have put the client's address there. maxHeaderSize bounds them.
  server.maxHeadersCount = 0;
  const { port } = server.address() as AddressInfo;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  /** Node does not count a connection as idle before it has received anything. */
  function closeSilent(): void {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  return {
    url: `http://${isIPv6(config.HOST) ? `[${config.HOST}]` : config.HOST}:${port}`,
    async close() {
      // So that no client sends another request into a connection that is being closed.
      server.prependListener('request', (_request, response) => {
        response.setHeader('connection', 'close');
      });
      const closed = once(server, 'close');
      const closing = close();
      // A connection turns idle once its last response is sent, and would then keep the server open.
      const sweeping = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      const silence = setTimeout(closeSilent, SILENCE_MS);
      // A client that never ends its request must not keep the database from being closed.
      const impatience = setTimeout(() => server.closeAllConnections(), PATIENCE_MS);
      await closed;
      clearInterval(sweeping);
      clearTimeout(silence);
      clearTimeout(impatience);
      await closing;
    },
  };
}

/** Writes straight to the socket: the response is complete, and a framework would only hash and copy it. */
export function writeResponse(
  response: ServerResponse,
  { status, headers, cookies, body }: HttpResponse,
): void {
  if (cookies.length > 0) response.appendHeader('set-cookie', cookies);
  response.writeHead(status, headers);
  // If reading fails half-way, the connection is closed, so that the client cannot mistake a part for the whole.
  if (body instanceof Readable) pipeline(body, response, () => {});
  else response.end(body);
}
