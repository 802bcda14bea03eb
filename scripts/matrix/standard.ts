import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../../src/catalog/catalog.js';
import { chooseLayers } from '../../src/catalog/choose-layers.js';
import { hasNoDeadFiles } from './checks/dead-files.js';
import { hasNoBrokenLinks } from './checks/links.js';
import { namesItsPackages } from './checks/packages.js';
import { publishesItsRoutes } from './checks/published-routes.js';
import { isSameAgain } from './checks/same-again.js';
import { namesItsScripts } from './checks/scripts.js';
import { hasNoTraces } from './checks/traces.js';
import { namesItsVariables } from './checks/variables.js';
import { problemOf, repositoryFolder } from './child.js';
import type { Combination } from './combinations.js';
import { compilerProblem } from './compiler.js';
import { emit, fingerprint } from './emit.js';

/** How many of the pairwise combinations `npm test` reads: the first, since each next one covers fewer open pairs. */
export const FIRST = 6;

/** An emitted combination on the disk. */
export interface Emitted {
  catalog: Catalog;
  combination: Combination;
  folder: string;
}

/** Checks an emitted service. @returns what is wrong with it, in words; undefined if nothing is */
type Check = (emitted: Emitted) => Promise<string | undefined> | string | undefined;

/** The standard of hand-written code, as far as a service need not be started for it. */
export const reading: Check[] = [
  isSameAgain,
  hasNoTraces,
  namesItsPackages,
  hasNoDeadFiles,
  hasNoBrokenLinks,
  namesItsVariables,
  namesItsScripts,
  ({ folder }) => compilerProblem(folder),
  ({ folder }) => lintProblem(folder),
];

/** What was linted and is clean: path, content and configuration. */
const clean = new Set<string>();

/** The linter reads each file for itself, and services have most in common: a file that it has passed is not read again. */
async function lintProblem(folder: string): Promise<string | undefined> {
  const files = fingerprint(folder);
  const configuration = files['biome.json'];
  const keyOf = (path: string) => `${configuration} ${path} ${files[path]}`;
  const fresh = Object.keys(files).filter((path) => !clean.has(keyOf(path)));
  const options = ['--error-on-warnings', '--colors=off', '--no-errors-on-unmatched'];
  const problem = await problemOf(folder, ['biome', 'check', ...options, ...fresh]);
  if (problem === undefined) for (const path of fresh) clean.add(keyOf(path));
  return problem;
}

/** Needs the server of the service's database. */
export const starting: Check[] = [publishesItsRoutes];

/** The tests that are emitted with the service. Needs the server of its database. */
export const ownTests: Check[] = [({ folder }) => runTests(folder)];

/** The same with the tests that only prove the generator, such as every event: for a service with everything. */
export const allTests: Check[] = [layOn, ({ folder }) => runTests(folder)];

/** Adds `test/laid-on`, and of `test/laid-on-with` the folders that are named after a chosen layer. */
function layOn({ catalog, combination, folder }: Emitted): undefined {
  const named = chooseLayers(catalog, combination).map(({ name }) => `test/laid-on-with/${name}`);
  for (const laidOn of ['test/laid-on', ...named].map((path) => join(repositoryFolder, path))) {
    if (existsSync(laidOn)) cpSync(laidOn, folder, { recursive: true });
  }
}

function runTests(folder: string): Promise<string | undefined> {
  const { TEST_DATABASE_URL } = process.env;
  const env = { NO_COLOR: '1', ...(TEST_DATABASE_URL ? { TEST_DATABASE_URL } : {}) };
  // Two services are tested at a time. With four workers each, it took a third longer: each loads every module.
  return problemOf(folder, ['vitest', 'run', '--maxWorkers=2'], env);
}

/** Emits a combination and makes all the checks. Its folder is kept if something is wrong. @returns what is wrong */
export async function problemsOf(
  catalog: Catalog,
  combination: Combination,
  checks: Check[],
): Promise<string[]> {
  const folder = await emit(combination);
  const problems: string[] = [];
  for (const check of checks) {
    const problem = await check({ catalog, combination, folder });
    if (problem !== undefined) problems.push(problem, `kept in ${folder}`);
  }
  if (problems.length === 0) rmSync(folder, { recursive: true });
  return problems;
}
