import { variable } from '../../environment/parsers.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A provider's URL: https, or http on this machine; given back as it is, since issuers are compared as text. */
export function providerUrl() {
  return variable('an https URL without query (http only on this machine)', (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || url.search || url.hash || url.href.includes('@')) return undefined;
    if (url.protocol === 'https:') return text;
    return url.protocol === 'http:' && LOOPBACK.test(url.hostname) ? text : undefined;
  });
}
