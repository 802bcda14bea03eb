import { rmSync } from 'node:fs';
import type { Catalog } from '../../src/catalog/catalog.js';
import type { Check, TestOptions } from './checks/check.js';
import { typeChecks } from './checks/compile.js';
import { hasNoBrokenLinks } from './checks/links.js';
import { isLintedAndFormatted } from './checks/lint.js';
import {
  passesItsTests,
  passesItsTestsOnMysql,
  passesItsTestsOnMysql8,
  passesItsTestsOnPlatform,
} from './checks/own-code.js';
import { namesItsPackages } from './checks/packages.js';
import { publishesItsRoutes } from './checks/published-routes.js';
import { isNotOverwritten, isSameAgain } from './checks/same-again.js';
import { hasNoTraces } from './checks/traces.js';
import { namesItsVariables } from './checks/variables.js';
import { emit } from './emit.js';
import type { Combination } from './offers.js';
import { onProcessors } from './processors.js';

/** What is checked of each combination, in this order: what leaves data behind comes last. */
export const checks = {
  refused: isNotOverwritten,
  same: isSameAgain,
  traces: hasNoTraces,
  packages: namesItsPackages,
  links: hasNoBrokenLinks,
  variables: namesItsVariables,
  types: typeChecks,
  lint: isLintedAndFormatted,
  routes: publishesItsRoutes,
  platform: passesItsTestsOnPlatform,
  tests: passesItsTests,
  mysql: passesItsTestsOnMysql,
  mysql8: passesItsTestsOnMysql8,
} satisfies Record<string, Check>;

export type CheckName = keyof typeof checks;

/** They run in several processes; what all else starts keeps one processor busy. */
const ownTests = new Set<CheckName | 'emit'>(['platform', 'tests', 'mysql', 'mysql8']);

/** All of them. */
export const checkNames = Object.keys(checks) as CheckName[];

/** What became of a combination; a check that failed has a problem. */
export interface Outcome {
  combination: Combination;
  /** Empty of content if all is well, kept otherwise. */
  folder: string;
  results: { check: CheckName | 'emit'; milliseconds: number; problem: string | undefined }[];
}

/** Emits a combination and runs the named checks on it, all of them even if one fails. */
export async function runCombination(
  catalog: Catalog,
  combination: Combination,
  names: CheckName[],
  options: TestOptions,
): Promise<Outcome> {
  const results: Outcome['results'] = [];
  const measure = (check: CheckName | 'emit', work: () => ReturnType<Check>) =>
    onProcessors(ownTests.has(check) ? options.workers : 1, async () => {
      const start = performance.now();
      const problem = await problemOr(work);
      results.push({ check, milliseconds: performance.now() - start, problem });
    });
  let folder = '';
  await measure('emit', async () => {
    folder = await emit(combination);
    return undefined;
  });
  if (folder === '') return { combination, folder, results };
  const emitted = { catalog, combination, folder, ...options };
  for (const name of names) await measure(name, () => checks[name](emitted));
  if (!results.some(({ problem }) => problem)) rmSync(folder, { recursive: true });
  return { combination, folder, results };
}

async function problemOr(work: () => ReturnType<Check>): Promise<string | undefined> {
  try {
    return await work();
  } catch (error) {
    return String(error);
  }
}
