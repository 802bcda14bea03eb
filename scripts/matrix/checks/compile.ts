import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../child.js';
import { compilerProblem } from '../compiler.js';
import type { Emitted } from './check.js';

// What the first run finds and the second does not look at again.
const noted = ['--incremental', '--tsBuildInfoFile', 'dist/found'];

/**
 * Strict types, unused code included: also those of its build. That is the same files without the tests, so that it finds
 * no more, unless a test declares something that all files see.
 */
export async function typeChecks({ folder }: Emitted): Promise<string | undefined> {
  const whole = await compilerProblem(folder, 'tsconfig.json', noted);
  const forBuild = testsDeclareForAll(folder) ? [] : noted;
  const build = await compilerProblem(folder, 'tsconfig.build.json', forBuild);
  return whole ?? build;
}

/** What a package declares for all that only tests import is left to those tests here that build a service on its own. */
function testsDeclareForAll(folder: string): boolean {
  return filesBelow(folder)
    .filter((path) => /^test\/|^src\/.*(\.test|\/test-[^/]*)\.ts$/.test(path))
    .some(
      (path) =>
        path.endsWith('.d.ts') ||
        /^\s*declare (global|module)\b|^\/\/\/ </m.test(readFileSync(join(folder, path), 'utf8')),
    );
}
