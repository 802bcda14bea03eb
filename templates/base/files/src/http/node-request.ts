import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import type { Config } from '../config.js';
import { clientAddress, trustedProxies } from './client-address.js';
import { refuse } from './errors.js';
import type { RawRequest } from './request.js';
import { takeNoneAfter } from './turns.js';

const NO_BODY = Buffer.alloc(0);
const NO_PARAMS = {};

/** The bytes of a body that something else has read before; undefined if nothing has. */
export type BytesReadBefore = () => Promise<Buffer | undefined> | Buffer | undefined;

/** Reads requests of Node's HTTP server, which every framework hands over, as the service knows them. */
export type ReadRequest = (
  request: IncomingMessage,
  params?: Record<string, string>,
  readBefore?: BytesReadBefore,
) => RawRequest;

/** A reader that believes the proxies of TRUST_PROXY. */
export function requestReader(config: Config): ReadRequest {
  const trusts = trustedProxies(config);
  return (request, params = NO_PARAMS, readBefore = () => undefined) => {
    const { headers, method = 'GET', url = '' } = request;
    const mark = url.indexOf('?');
    return {
      method,
      params,
      search: mark < 0 ? '' : url.slice(mark + 1),
      ip: clientAddress(request, trusts),
      header: (name) => {
        const value = headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      },
      async readBody(limit) {
        const bytes = await wholeOrRefused(request, readBefore);
        if (bytes === undefined) return readBytes(request, limit);
        if (bytes.length > limit) throw refuse('BODY_TOO_LARGE');
        return bytes;
      },
    };
  };
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  // A request has a body only if one of these says so (RFC 9112 §6.3).
  if (coding === undefined && (length === undefined || length === '0')) return NO_BODY;
  return wholeOrRefused(request, () => rawBody(request, { limit, length: length ?? null }));
}

async function wholeOrRefused<Bytes>(
  request: IncomingMessage,
  read: () => Promise<Bytes> | Bytes,
): Promise<Bytes> {
  try {
    return await read();
  } catch (error) {
    takeNoneAfter(request);
    throw refuse(isTooLarge(error) ? 'BODY_TOO_LARGE' : 'INVALID_JSON', {
      // The rest of the body is not read: the connection cannot be used again.
      headers: { connection: 'close' },
    });
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}
