import ipaddr from 'ipaddr.js';

/**
 * True for an address of the public internet. Everything else is refused: private networks, loopback,
 * link-local (where clouds answer with credentials), multicast, and IPv4 in the disguise of IPv6.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}
