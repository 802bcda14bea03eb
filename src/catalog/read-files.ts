import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files in a layer's folder, without those of its choices. */
export function readFiles(folder: string): ReadonlyMap<string, Buffer> {
  const paths = pathsBelow(folder, '').filter((path) => !path.startsWith('choices/'));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path))]));
}

function pathsBelow(folder: string, prefix: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = prefix + entry.name;
      if (!entry.isDirectory()) return [path];
      return pathsBelow(join(folder, entry.name), `${path}/`);
    });
}
