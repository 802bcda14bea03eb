import type { IncomingMessage } from 'node:http';

const ORIGIN_OF_TARGET = /^https?:\/\/[^/?#]*/i;

/**
 * False for a request that no framework is to see. What they or a proxy in front would read in different
 * ways is none: one may take for a part of a request what is the next one to the other. Turns a target
 * in absolute form (RFC 9112 §3.2.2) into its path.
 */
export function isReadable(request: IncomingMessage): boolean {
  return isOfKnownVersion(request) && hasOneHost(request) && readsTarget(request);
}

/**
 * Node's parser takes HTTP/0.9 and 2.0 as well, and frames of HTTP/1.0, of which RFC 9112 §6.1 says that
 * they are faulty: a proxy of that version has not understood them.
 */
function isOfKnownVersion({ httpVersion, headers }: IncomingMessage): boolean {
  if (httpVersion === '1.1') return true;
  return httpVersion === '1.0' && headers['transfer-encoding'] === undefined;
}

/** RFC 9112 §3.2: of HTTP/1.1 without Host, or of any version with two, a request is answered with 400. */
function hasOneHost({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.0';
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1;
}

function readsTarget(request: IncomingMessage): boolean {
  const target = request.url ?? '';
  if (target.startsWith('/')) return !target.includes('\\');
  request.url = target.replace(ORIGIN_OF_TARGET, '');
  return request.url.startsWith('/') && !request.url.includes('\\');
}
