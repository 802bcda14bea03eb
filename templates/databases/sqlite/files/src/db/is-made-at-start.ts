import { existsSync } from 'node:fs';
import type { Config } from '../config.js';

/** True if there is no database yet and a start makes it: whoever only looks must not. */
export function isMadeAtStart({ DATABASE_URL: url }: Config): boolean {
  return !existsSync(url.replace(/^file:/, ''));
}
