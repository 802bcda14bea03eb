import type { Config } from '../config.js';

/** A database on a server is made by whoever runs the server, never by a start. */
export function isMadeAtStart(_config: Config): boolean {
  return false;
}
