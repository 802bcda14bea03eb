import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { filesBelow } from '../child.js';
import type { Emitted } from '../standard.js';

/**
 * Every code file is used: those of `src/` in production, starting from the scripts, the migrations and the
 * configuration of tools; those of `test/` by a test.
 */
export function hasNoDeadFiles({ folder }: Emitted): string | undefined {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const paths = filesBelow(folder).filter(isCode);
  const texts = new Map(paths.map((path) => [path, read(path)]));
  const packageJson = read('package.json');
  const starts = paths.filter(
    (path) => !/^(src|test)\//.test(path) || packageJson.includes(` ${path}`),
  );
  const running = reachedFrom(starts, texts);
  // As `vitest.config.ts` says.
  const standIns = paths.filter(
    (path) => /^test\/(.*\/)?policy\.ts$/.test(path) && texts.has(path.replace('test/', 'src/')),
  );
  const tested = reachedFrom([...starts, ...paths.filter(isTest), ...standIns], texts);
  const dead = paths.filter((path) => !(path.startsWith('src/') ? running : tested).has(path));
  const unused = dead.filter((path) => !isTest(path));
  return unused.length > 0 ? unused.map((path) => `nobody uses ${path}`).join('\n') : undefined;
}

function isCode(path: string): boolean {
  return /^(src|test|migrations)\/.*\.[cm]?[jt]s$|^[^/]+\.ts$/.test(path);
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

/** These files, and all that they name, by an import or as a path in quotes, however indirectly. */
function reachedFrom(starts: string[], texts: ReadonlyMap<string, string>): Set<string> {
  const reached = new Set(starts);
  for (const path of reached) {
    for (const [, named = ''] of texts.get(path)?.matchAll(/['"`]([^'"`\s]+\.[cm]?[jt]s)['"`]/g) ??
      []) {
      const beside = posix.join(dirname(path), named);
      const places = [beside, named].flatMap((place) => [place, place.replace(/js$/, 'ts')]);
      const place = places.find((each) => texts.has(each));
      if (place !== undefined) reached.add(place);
    }
  }
  return reached;
}
