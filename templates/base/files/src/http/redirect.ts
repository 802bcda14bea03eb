import type { Reply } from './route.js';

/** Sends a browser elsewhere: always to a URL that is made from the configuration. */
export function redirect(url: string): Reply {
  return { status: 302, headers: { location: url } };
}
