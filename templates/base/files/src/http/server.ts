import { once } from 'node:events';
import {
  createServer,
  type Server as HttpServer,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Config } from '../config.js';
import { isReadable } from './readable.js';
import { takeNoneAfter, takesItsTurn } from './turns.js';
import { refuseRequest, refuseUnreadable } from './unreadable.js';

/** A service that listens. */
export interface Server {
  url: string;
  /** Takes no more connections and resolves when the requests in flight are answered. */
  close(): Promise<void>;
}

const HEADER_BYTES = 16 * 1024;
const HEADERS_MS = 10_000;
/** How late a timeout may be noticed. */
const LATENESS_MS = 1_000;
/**
 * Longer than the 60 s after which common load balancers drop an idle connection: were the service
 * the first to hang up, a balancer would send requests into a connection that is being closed.
 */
const KEEP_ALIVE_MS = 65_000;
const SWEEP_MS = 50;
/** What a request gets to finish; main.ts gives the whole shutdown 10 s. */
const PATIENCE_MS = 8_000;

/**
 * Node's HTTP server with the limits of this service, for an app of any framework. Whoever sends a
 * request slower than REQUEST_TIMEOUT, so as to hold connections, gets 408. What Node or a framework
 * would answer in a form of its own, a request without Host or with a strange target, is refused.
 */
export function createHttpServer(config: Config, listener: RequestListener): HttpServer {
  const limits = {
    requestTimeout: config.REQUEST_TIMEOUT,
    headersTimeout: Math.min(HEADERS_MS, config.REQUEST_TIMEOUT),
    connectionsCheckingInterval: LATENESS_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES,
    requireHostHeader: false,
  };
  const handle: RequestListener = (request, response) => {
    if (!takesItsTurn(request, response)) return;
    if (!isReadable(request)) return refuseRequest(response);
    // Node loses what came with it in one packet, and would take the middle of it for a request.
    if (request.headers.upgrade !== undefined) endAfter(response);
    listener(request, response);
  };
  const server = createServer(limits, handle)
    // An Expect that nobody knows is no reason to refuse (RFC 9110 §10.1.1: a server MAY).
    .on('checkExpectation', handle)
    // Node gives the connection away with CONNECT, and hangs up if nobody takes it.
    .on('connect', (_request, socket) => {
      socket.on('error', () => socket.destroy());
      refuseUnreadable(new Error('CONNECT'), socket);
    });
  // Node leaves headers out past the 2,000th: that may be the address which a proxy has added. Their bytes are bounded.
  server.maxHeadersCount = 0;
  return server;
}

/** Listens on HOST and PORT. Throws if the port is taken. */
export async function listenOn(server: HttpServer, config: Config): Promise<Server> {
  const endGracefully = gracefulEnd(server);
  server.listen(config.PORT, config.HOST);
  await once(server, 'listening');
  return { url: urlOf(server, config), close: () => endGracefully(() => server.close()) };
}

/** Where a server listens that was told to listen on HOST. */
export function urlOf(server: HttpServer, config: Config): string {
  const { port } = server.address() as AddressInfo;
  return `http://${config.HOST}:${port}`;
}

/**
 * Follows the requests of a server from now on; call it before the server listens. What it returns
 * ends the server by `begin`: every answer from then on tells its client that the connection closes,
 * so that no client sends another request into it.
 */
export function gracefulEnd(server: HttpServer): (begin: () => unknown) => Promise<void> {
  // By connection, so that a request costs an entry of a map and no listener of its own.
  const latest = new Map<Socket, ServerResponse | undefined>();
  let isEnding = false;
  server.on('connection', (socket) => {
    latest.set(socket, undefined);
    socket.once('close', () => latest.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    if (isEnding) endAfter(response);
    latest.set(socket, response);
  });
  return async (begin) => {
    isEnding = true;
    for (const [socket, response] of latest) {
      // Opened in advance, as browsers do; Node takes it for the beginning of a request.
      if (socket.bytesRead === 0) socket.destroy();
      else if (response?.headersSent === false) endAfter(response);
    }
    const closed = once(server, 'close');
    const begun = begin();
    // A connection whose answer was under way turns idle after it, and would hold the server open.
    const sweeping = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    // A client that never ends its request must not keep the database from being closed.
    const impatience = setTimeout(() => server.closeAllConnections(), PATIENCE_MS);
    await closed;
    clearTimeout(impatience);
    clearInterval(sweeping);
    await begun;
  };
}

/** Ends a connection with this answer, and lets nothing be processed that was sent after its request. */
function endAfter(response: ServerResponse): void {
  takeNoneAfter(response.req);
  response.setHeader('connection', 'close');
}
