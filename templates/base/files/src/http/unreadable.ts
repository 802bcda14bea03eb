import { STATUS_CODES } from 'node:http';
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
  const code = CODES[error.code ?? ''] ?? 'INVALID_REQUEST';
  const { status, message } = errorCodes[code];
  const body = JSON.stringify({ error: message, code });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomId()}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
