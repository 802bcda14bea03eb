import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder as a test shows it: path → text. */
export type Files = Record<string, string>;

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Every file below the folder, `node_modules` and `.git` left out, sorted by path. */
export function readFiles(folder: string): Files {
  const paths = filesBelow(folder);
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}

/** The paths of these files. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== '.git')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}
