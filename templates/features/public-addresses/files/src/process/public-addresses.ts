import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** All IPv6 addresses assigned so far (IANA, IPv6 Global Unicast Address Assignments). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Looks public, but on Azure it is the virtual machine's host, which hands out its certificates. */
const METADATA = new Set(['168.63.129.16']);

/**
 * Refuses private networks, loopback, link-local (where clouds answer with credentials), multicast,
 * and IPv4 addresses written as IPv6.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || METADATA.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}

/** A URL's host as look-ups expect it: an IPv6 address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * True if every address of the URL's host is public. The name may resolve to another address the next time (DNS
 * rebinding), so this is enough before https only: a private host has no certificate for that name.
 * Rejects if the name does not resolve.
 */
export async function isPublicHost(url: URL): Promise<boolean> {
  const addresses = await lookup(hostOf(url), { all: true });
  return addresses.every(({ address }) => isPublicAddress(address));
}
