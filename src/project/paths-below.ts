import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { recordFolder } from '../plan/manifest.js';

// Nobody moves a source file in there, and they are large.
const passedOver = [recordFolder, '.git', 'node_modules', 'dist', 'coverage', 'data'];

/** All files of the project that could be the new place of one that somebody has moved. Links are not followed. */
export function pathsBelow(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (passedOver.includes(entry.name)) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return pathsBelow(root, path);
    return entry.isFile() ? [path] : [];
  });
}
