import { problemOf } from './child.js';

/**
 * Compiles what a configuration in the folder names. In one thread, because several compilers run side by side, and the
 * compiler's four threads share nothing: each works out the types of the libraries. Collecting less garbage takes a
 * fifth less time.
 * @returns what is wrong; undefined if nothing is
 */
export function compilerProblem(
  folder: string,
  configuration = 'tsconfig.json',
): Promise<string | undefined> {
  return problemOf(folder, ['tsc', '--singleThreaded', '-p', configuration], { GOGC: '400' });
}

/** Makes `dist/` as `npm run build` does once the types are right. @returns what is wrong; undefined if nothing is */
export function bundleProblem(folder: string): Promise<string | undefined> {
  return problemOf(folder, ['tsx', 'esbuild.config.ts']);
}
