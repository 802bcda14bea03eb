import { once } from 'node:events';
import type {
  Server as HttpServer,
  IncomingMessage,
  ServerOptions,
  ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Config } from '../config.js';
import type { Services } from '../services.js';
import { answer, answerOtherMethod } from './answer.js';
import { hasBody, readBytes } from './body.js';
import { requestReader } from './request.js';
import type { HttpResponse } from './response.js';
import { resourceFinder } from './route.js';

/** A service that listens. */
export interface Server {
  url: string;
  /** Takes no more connections and resolves when the requests in flight are answered. */
  close(): Promise<void>;
}

/**
 * Longer than the 60 s after which common load balancers drop an idle connection: were the service
 * the first to hang up, a balancer would send requests into a connection that is being closed.
 */
export const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS = 10_000;
const HEADER_BYTES = 16 * 1024;
const SWEEP_MS = 50;
/** What a request gets to finish, a script's 5 s included; main.ts gives the whole shutdown 10 s. */
const PATIENCE_MS = 6_000;

/** Limits of Node's HTTP server: whoever sends a request slower than REQUEST_TIMEOUT, so as to hold connections, gets 408. */
export function serverLimits({ REQUEST_TIMEOUT }: Config): ServerOptions {
  return {
    requestTimeout: REQUEST_TIMEOUT,
    headersTimeout: Math.min(HEADERS_MS, REQUEST_TIMEOUT),
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES,
  };
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

/**
 * For apps that parse bodies before the service's routes: reads those of the service's requests first, so that no
 * parser limits, changes or refuses them. `listen` puts it in front of your app.
 */
export function readBodiesFirst(services: Services) {
  const { config, resources } = services;
  const read = requestReader(config);
  const find = resourceFinder(resources);
  return (
    request: IncomingMessage & { rawBody?: Buffer },
    response: ServerResponse,
    next: () => void,
  ): void => {
    const resource = hasBody(request) ? find(request) : undefined;
    if (!resource) {
      next();
      return;
    }
    const handOn = (bytes: Buffer) => {
      // Where adapters to web standards look for a body that was read.
      request.rawBody = bytes;
      next();
    };
    // Refused at once: a parser would take the rest of it for a body.
    const refuseUnread = async () => {
      const route = resource.routes.find(({ method }) => method === request.method);
      const raw = read(request);
      const refusal = route
        ? answer(route, raw, services)
        : answerOtherMethod(resource, raw, services);
      writeResponse(response, await refusal);
    };
    readBytes(request, config.BODY_LIMIT).then(handOn, refuseUnread);
  };
}

/** Written straight to the socket: the response is complete, and a framework would only hash and copy it. */
export function writeResponse(
  response: ServerResponse,
  { status, headers, cookies, body }: HttpResponse,
): void {
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(status, headers).end(body);
}
