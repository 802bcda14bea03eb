import type { CustomFetch } from 'openid-client';
import { isPublicHost } from '../../process/public-addresses.js';

/**
 * Sends the requests to an issuer and to the endpoints that it names. An issuer on the internet, even if it
 * is taken over, must not lead into this service's private network (SSRF); one inside a private network, such
 * as a company's, may name its neighbours. Redirects are not followed: openid-client says so in `options`.
 */
export function issuerFetch(issuer: URL): CustomFetch {
  return async (address, options) => {
    const url = new URL(address);
    const isOwnHost = url.hostname === issuer.hostname;
    if (!isOwnHost && !(await isPublicHost(url)) && (await isPublicHost(issuer))) {
      throw new Error(`${issuer.host} names ${url.host}, which is in a private network.`);
    }
    return fetch(address, options);
  };
}
