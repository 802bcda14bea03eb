import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { basename, dirname } from 'node:path/posix';
import { systemCode } from '../errors.js';

/**
 * Tells quickly which paths of the project cannot exist: each folder is listed once, however many of its files are asked
 * for. @returns true if something may lie at the path; only a look at the path itself says what
 */
export function folderListings(root: string): (path: string) => boolean {
  const listings = new Map<string, Set<string>>();
  return (path) => {
    const folder = dirname(path);
    let names = listings.get(folder);
    if (!names) {
      names = namesIn(join(root, folder));
      listings.set(folder, names);
    }
    return names.has(basename(path));
  };
}

function namesIn(folder: string): Set<string> {
  try {
    return new Set(readdirSync(folder));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return new Set();
    throw error;
  }
}
