import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, errorCodes } from '../error-codes.js';
import { randomId } from '../random.js';
import { takeNoneAfter, turnOfUnreadable } from './turns.js';

/** What Node's HTTP parser calls them. */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** What a client gets to read its refusal: closed while it sends, a connection is reset, and what came over it lost. */
const LINGER_MS = 1_000;

const refused = new WeakSet<Duplex>();

/**
 * Answers bytes that are no request, as a listener of a server's `clientError`: no framework ever
 * sees them, and Node alone would answer without a body. The connection ends, since where the next
 * request begins cannot be known; also if the client would rather hold it.
 */
export async function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
): Promise<void> {
  if (refused.has(socket)) return;
  refused.add(socket);
  if (error.code !== 'ECONNRESET') {
    const isAnswered = await turnOfUnreadable(socket);
    const text = isAnswered ? '' : refusalText(CODES[error.code ?? ''] ?? 'INVALID_REQUEST');
    if (socket.writable) socket.end(text, 'latin1');
    await new Promise((resolve) => setTimeout(resolve, LINGER_MS).unref());
  }
  socket.destroy();
}

/** Answers a request that no framework is to see, and ends its connection. */
export function refuseRequest(response: ServerResponse): void {
  const { status, headers, body } = refusalOf('INVALID_REQUEST');
  takeNoneAfter(response.req);
  response.writeHead(status, headers).end(body);
}

function refusalText(code: ErrorCode): string {
  const { status, headers, body } = refusalOf(code);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
  return `${head}\r\n\r\n${body}`;
}

function refusalOf(code: ErrorCode) {
  const { status, message } = errorCodes[code];
  const body = JSON.stringify({ error: message, code });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': randomId(),
    'cache-control': 'no-store',
    connection: 'close',
  };
  return { status, headers, body };
}
