import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { AddressRefused } from './address-refused.js';
import { isPublicAddress } from './public-address.js';

const CONNECT_MS = 5_000;

/**
 * A connector that reaches public addresses only. What it checks is the address that is connected to,
 * three times over: written as a number (which no look-up sees), resolved, and as the socket has it. A
 * check of the name beforehand would be void: a name may resolve to something else the next time.
 */
export function guardedConnector(allowPrivate: boolean): buildConnector.connector {
  const options = { timeout: CONNECT_MS, allowH2: false };
  if (allowPrivate) return buildConnector(options);
  const connect = buildConnector({ ...options, lookup: lookUpPublic });
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

/** One private address among several refuses all: which of them is taken is not ours to say. */
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
