import { availableParallelism } from 'node:os';
import type { Catalog } from '../../src/catalog/catalog.js';
import { chooseLayers } from '../../src/catalog/choose-layers.js';
import { coveringCombinations } from '../combinations.js';
import type { Share } from './checks/check.js';
import { allCombinations, otherPackageManagers } from './combinations.js';
import type { Combination } from './offers.js';
import { pairwiseCombinations } from './pairwise-combinations.js';
import { type CheckName, checkNames, type Outcome, runCombination } from './run-combination.js';

/** A combination and what shall be checked of it. */
export interface Run {
  combination: Combination;
  names: CheckName[];
  /** Of the features' own tests on a platform; all if absent. */
  share?: Share;
}

export interface Selection {
  /** Part of the combination's name. */
  only?: string;
  /** Only a selection of combinations, in which all pairs of choices occur. */
  pairwise?: boolean;
  /** Everything but the services' own tests. */
  types?: boolean;
  /** Nothing but the services' own tests. */
  tests?: boolean;
  /**
   * The services' own tests only in the largest and the smallest; those that a framework or a database may break, in the
   * largest on each platform, which share the features' tests among them.
   */
  brief?: boolean;
  /** The own tests of services whose instances share a Redis, each service started so many times. */
  instances?: number;
  /** On which MySQL the own tests of services run as well, whose tests find MariaDB. */
  onMysql?: CheckName[];
}

/** What another package manager can change: texts. Its code is that of npm's combination. */
const textChecks: CheckName[] = ['refused', 'same', 'traces', 'packages', 'links', 'lint'];

/** What is to be run: all combinations, and the other package managers as far as they differ. */
export function plannedRuns(catalog: Catalog, selection: Selection = {}): Run[] {
  const chosen = selection.pairwise ? pairwiseCombinations(catalog) : allCombinations(catalog);
  const others = onlyOwnTests(selection) ? [] : otherPackageManagers(catalog);
  const [, ...platforms] = selection.brief ? coveringCombinations(catalog) : [];
  return [
    ...chosen.map((combination, position) => ({
      combination,
      names: namesFor(selection).filter((name) => {
        if (mysqlTests.includes(name)) {
          return selection.onMysql?.includes(name) && combination.database === 'mysql';
        }
        return name !== 'tests' || !selection.brief || position < 2;
      }),
    })),
    ...platforms.map(
      (combination, index): Run => ({
        combination,
        names: ['platform'],
        share: { index, of: platforms.length },
      }),
    ),
    ...others.map((combination) => ({ combination, names: textChecks })),
  ].filter(
    ({ combination }) =>
      combination.name.includes(selection.only ?? '') &&
      (!selection.instances || sharesRedis(catalog, combination)),
  );
}

function sharesRedis(catalog: Catalog, combination: Combination): boolean {
  return chooseLayers(catalog, combination).some(({ name }) => name === 'redis');
}

const mysqlTests: CheckName[] = ['mysql', 'mysql8'];
const ownTests: CheckName[] = ['tests', ...mysqlTests];

function onlyOwnTests({ tests, instances }: Selection): boolean {
  return tests === true || instances !== undefined;
}

function namesFor(selection: Selection): CheckName[] {
  if (onlyOwnTests(selection)) return ownTests;
  const left = selection.types ? ['platform', ...ownTests] : ['platform'];
  return checkNames.filter((name) => !left.includes(name));
}

/** A combination at work for each core; own tests wait for two, so that those which measure time are not starved. */
export function parallelism(): { jobs: number; workers: number } {
  const jobs = availableParallelism();
  return { jobs, workers: Math.min(2, jobs) };
}

/** Runs them side by side, each as soon as a place is free. */
export async function runAll(
  catalog: Catalog,
  runs: Run[],
  whenDone: (outcome: Outcome) => void,
  { instances }: Selection = {},
): Promise<Outcome[]> {
  const { jobs, workers } = parallelism();
  const open = runs.entries();
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (const [position, { combination, names, share }] of open) {
      const options = { workers, instances, share };
      const outcome = await runCombination(catalog, combination, names, options);
      outcomes[position] = outcome;
      whenDone(outcome);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return outcomes;
}
