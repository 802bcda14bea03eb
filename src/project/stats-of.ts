import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode, UserError } from '../errors.js';

/**
 * What lies at the path itself, links not followed; undefined if nothing does.
 * @throws UserError if the folder cannot be looked into
 */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UserError(`${dirname(path)} cannot be read (${code}).`);
  }
}
