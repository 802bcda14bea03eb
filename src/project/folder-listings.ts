import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../errors.js';

/** What a folder's listing says of a name in it; undefined if it has none such. */
export type Listed = 'file' | 'other' | undefined;

/** What is listed at a path of the project. */
export type Listings = (path: string) => Listed;

/**
 * Tells quickly what the paths of the project are: each folder is listed once, however many of its files are asked for.
 * @returns what may lie at a path; only a look at the path itself says whether links lead there
 */
export function folderListings(root: string): Listings {
  const listings = new Map<string, Map<string, Listed>>();
  return (path) => {
    // Faster than dirname and basename, which read each character: thousands of paths are asked for.
    const end = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(end, 0));
    let names = listings.get(folder);
    if (!names) {
      names = namesIn(join(root, folder));
      listings.set(folder, names);
    }
    return names.get(path.slice(end + 1));
  };
}

function namesIn(folder: string): Map<string, Listed> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return new Map(entries.map((entry) => [entry.name, entry.isFile() ? 'file' : 'other']));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return new Map();
    throw error;
  }
}
