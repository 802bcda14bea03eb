import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector } from 'undici';

const CONNECT_MS = 5_000;
/** All IPv6 addresses assigned so far (IANA, IPv6 Global Unicast Address Assignments). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Looks public, but on Azure it is the virtual machine's host, which hands out its certificates. */
const METADATA = new Set(['168.63.129.16']);

class AddressRefused extends Error {
  override name = 'AddressRefused';
  constructor() {
    super('The address is not public.');
  }
}

/** Opens the pool of connections to receivers; each may be silent for at most `answerMs`. */
export function openAgent(allowPrivate: boolean, answerMs: number): Agent {
  return new Agent({
    connect: allowPrivate ? buildConnector(CONNECTING) : publicConnector(),
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    maxHeaderSize: 16 * 1024,
  });
}

const CONNECTING = { timeout: CONNECT_MS, allowH2: false };

/**
 * Connects to public addresses only. Checks literal addresses, which skip the look-up, resolved ones, and
 * the socket's own. A check of the name beforehand would prove nothing: it may resolve to another address
 * the next time (DNS rebinding).
 */
function publicConnector(): buildConnector.connector {
  const connect = buildConnector({ ...CONNECTING, lookup: lookUpPublic });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isPublicAddress(host)) return callback(new AddressRefused(), null);
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (socket && isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket);
      socket?.destroy();
      callback(new AddressRefused(), null);
    });
  };
}

type Resolved = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** A private address among several refuses all of them, since each might be the one connected to. */
function lookUpPublic(host: string, options: LookupOptions, callback: Resolved): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new AddressRefused(), []);
    }
    if (options.all) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
}

/**
 * Refuses private networks, loopback, link-local (where clouds answer with credentials), multicast,
 * and IPv4 addresses written as IPv6.
 */
function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || METADATA.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}
