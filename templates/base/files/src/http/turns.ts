import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The latest answer of each connection. */
const latest = new WeakMap<Duplex, ServerResponse>();
/** The one before it, of a client that has not waited for it. */
const before = new WeakMap<ServerResponse, ServerResponse>();
/** The request with whose answer a connection ends. */
const last = new WeakMap<Duplex, IncomingMessage>();

/**
 * Notes that a request has come. False if its connection ends with the answer to an earlier one: it must
 * not be processed then (RFC 9112 §9.6), since its client takes it for lost and may send it again.
 */
export function takesItsTurn(request: IncomingMessage, response: ServerResponse): boolean {
  const { socket } = request;
  if ((last.get(socket) ?? request) !== request) return false;
  const previous = latest.get(socket);
  if (previous && !isSent(previous)) before.set(response, previous);
  latest.set(socket, response);
  return true;
}

/** Lets no request after this one be processed; its answer has to say `Connection: close`. */
export function takeNoneAfter(request: IncomingMessage): void {
  if (!last.has(request.socket)) last.set(request.socket, request);
}

/**
 * Waits until it is the turn of bytes that are no request, since answers come in the order of what was
 * asked (RFC 9112 §9.3.2). True if they belong to a request that has its answer already.
 */
export async function turnOfUnreadable(socket: Duplex): Promise<boolean> {
  // One turn, in which an answer that waits for nothing is written, whichever framework writes it.
  await new Promise(setImmediate);
  const response = latest.get(socket);
  if (!response) return false;
  // They are the body of the request itself, and nobody has answered it.
  if (!response.req.complete && !response.headersSent) {
    await sent(before.get(response));
    return false;
  }
  await sent(response);
  return !response.req.complete;
}

function sent(response: ServerResponse | undefined): Promise<void> {
  if (!response || isSent(response)) return Promise.resolve();
  return new Promise((resolve) => response.once('close', resolve));
}

function isSent(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed;
}
