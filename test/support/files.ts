import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder as tests compare it: path → text. */
export type Files = Record<string, string>;

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Every file below the folder, `node_modules` and `.git` left out. */
export function readFiles(folder: string): Files {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/(^|[/\\])(node_modules|\.git)([/\\]|$)/.test(path))
    .sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** The files of a project without its record. */
export function ownFiles(folder: string): Files {
  const all = Object.entries(readFiles(folder));
  return Object.fromEntries(all.filter(([path]) => !path.startsWith('.create-auth-service/')));
}

/** Every file, with its permissions before its text, and empty folders. */
export function readTree(folder: string): Files {
  const below = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ path }) => !path.startsWith(join(folder, '.git', '/')));
  const lines = below.flatMap(({ entry, path }) => {
    const name = path.slice(folder.length + 1);
    if (entry.isDirectory()) return readdirSync(path).length === 0 ? [[`${name}/`, '']] : [];
    const mode = (statSync(path).mode & 0o777).toString(8);
    return [[name, `${mode} ${readFileSync(path, 'utf8')}`]];
  });
  return Object.fromEntries(lines.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)));
}
