import ipaddr from 'ipaddr.js';

/** All that is given out of IPv6 so far (IANA, IPv6 Global Unicast Address Assignments). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by its number, but answered by the host of a virtual machine at Azure, with its certificates. */
const METADATA = new Set(['168.63.129.16']);

/**
 * True for an address of the public internet. Everything else is refused: private networks, loopback,
 * link-local (where clouds answer with credentials), multicast, and IPv4 in the disguise of IPv6.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || METADATA.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}
