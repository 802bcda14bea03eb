import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, errorCodes } from '../error-codes.js';
import { randomId } from '../random.js';

/** What Node's HTTP parser calls them. */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/**
 * Answers bytes that are no request, as a listener of a server's `clientError`: no framework ever
 * sees them, and Node alone would answer without a body. The connection ends, since where the next
 * request begins cannot be known.
 */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, headers, body } = refusalOf(CODES[error.code ?? ''] ?? 'INVALID_REQUEST');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`);
}

/** Answers a request that no framework is to see, and ends its connection. */
export function refuseRequest(response: ServerResponse): void {
  const { status, headers, body } = refusalOf('INVALID_REQUEST');
  response.writeHead(status, headers).end(body);
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
