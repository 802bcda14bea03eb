import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import type { Config } from '../config.js';

/** True for a proxy of ours: `hop` counts from this service outwards, from 0. */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** TRUST_PROXY as a rule; frameworks take it for their own reading of proxies' headers. */
export function trustedProxies({ TRUST_PROXY }: Config): TrustsProxy {
  if (typeof TRUST_PROXY === 'number') return (_address, hop) => hop < TRUST_PROXY;
  return proxyAddr.compile(TRUST_PROXY);
}

/**
 * Who sent a request: the last address of X-Forwarded-For that no proxy of ours vouches for. Empty if
 * the connection is gone.
 */
export function clientAddress(request: IncomingMessage, trusts: TrustsProxy): string {
  if (request.headers['x-forwarded-for'] === undefined) return request.socket.remoteAddress ?? '';
  return proxyAddr(request, trusts) ?? '';
}
