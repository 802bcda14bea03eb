import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packPath, templatesFolder } from '../package-root.js';
import type { Catalog } from './catalog.js';
import { packedCatalog } from './packed-catalog.js';

/**
 * The catalog of this package. The published package has only the pack; a checkout also has the folder, which is read
 * instead if somebody has edited it since the build.
 */
export async function ownCatalog(): Promise<Catalog> {
  if (!existsSync(templatesFolder)) return packedCatalog();
  if (!isYounger(templatesFolder, statSync(packPath).mtimeMs)) return packedCatalog();
  const { readCatalog } = await import('./read-catalog.js');
  return readCatalog(templatesFolder);
}

/** True if anything in a folder was written, added or removed since `time` (ms). */
function isYounger(folder: string, time: number): boolean {
  if (statSync(folder).mtimeMs > time) return true;
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .some((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? isYounger(path, time) : statSync(path).mtimeMs > time;
    });
}
