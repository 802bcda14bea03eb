import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import type { Config } from '../config.js';

/** True for a proxy of ours: `hop` counts from this service outwards, from 0. */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** TRUST_PROXY as a rule; frameworks take it for their own reading of proxies' headers. */
export function trustedProxies({ TRUST_PROXY }: Config): TrustsProxy {
  if (typeof TRUST_PROXY === 'number') return (_address, hop) => hop < TRUST_PROXY;
  const trusts = proxyAddr.compile(TRUST_PROXY);
  return (address, hop) => trusts(addressIn(address) ?? address, hop);
}

/**
 * Who sent a request: the last address of X-Forwarded-For that no proxy of ours vouches for. What is no
 * address there, such as `unknown`, counts for the proxy that sent it. Empty if the connection is gone.
 */
export function clientAddress(request: IncomingMessage, trusts: TrustsProxy): string {
  const { remoteAddress = '' } = request.socket;
  if (request.headers['x-forwarded-for'] === undefined) return remoteAddress;
  const [, ...forwarded] = proxyAddr.all(request, trusts);
  return forwarded.map(addressIn).findLast((address) => address !== undefined) ?? remoteAddress;
}

const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/;

/** An entry without its port, which some balancers add: with it, each connection would be another client. */
function addressIn(entry: string): string | undefined {
  const [, inBrackets, beforeColon] = WITH_PORT.exec(entry) ?? [];
  const address = inBrackets ?? beforeColon ?? entry;
  // The zone of an address of IPv6 means something on its own machine alone, and is as long as one likes.
  return isIP(address) > 0 && !address.includes('%') ? address : undefined;
}
