import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The groups of 16 bits that name a network of IPv6. */
const NETWORK_GROUPS = 4;

/**
 * What a client is counted by: its IPv4 address, or the network of its IPv6 address. Whoever has one
 * address of a /64 has all of them (RFC 4291 §2.5.1), and could send every request from another one.
 * Any other text is given back.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
