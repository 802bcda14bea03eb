import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { filesBelow, problemOf, repositoryFolder } from './child.js';

// A compiler that ends within seconds need not collect garbage, but for a much larger program.
const memory = { GOGC: 'off', GOMEMLIMIT: '3GiB' };

/**
 * Compiles what a configuration in the folder names. In one thread, because several compilers run side by side, and the
 * compiler's four threads share nothing: each works out the types of the libraries. Garbage is kept up to
 * a limit: the largest service takes 0.6 GB, and a quarter less time.
 * @returns what is wrong; undefined if nothing is
 */
export function compilerProblem(
  folder: string,
  configuration = 'tsconfig.json',
): Promise<string | undefined> {
  return problemOf(folder, ['tsc', '--singleThreaded', '-p', configuration], memory);
}

/** Makes `dist/` as `npm run build` does once the types are right. @returns what is wrong; undefined if nothing is */
export function bundleProblem(folder: string): Promise<string | undefined> {
  // Not `tsx`, which starts a second Node.
  return problemOf(folder, [process.execPath, '--import', 'tsx', 'esbuild.config.ts']);
}

/** Imports a module of a service as one file: Vitest would transform hundreds. */
export async function importFrom<Exports>(folder: string, path: string): Promise<Exports> {
  const source = join(folder, 'src');
  const place = mkdtempSync(join(repositoryFolder, 'playground/bundle-'));
  try {
    const outfile = join(place, 'bundle.js');
    const options = {
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
    } as const;
    await build({ entryPoints: [join(folder, path)], outfile, ...options });
    // The code reads some when it is loaded.
    const others = filesBelow(source).filter((each) => !each.endsWith('.ts'));
    for (const each of others) cpSync(join(source, each), join(place, basename(each)));
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(place, { recursive: true });
  }
}
