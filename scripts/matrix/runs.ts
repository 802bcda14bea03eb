import { availableParallelism } from 'node:os';
import type { Catalog } from '../../src/catalog/catalog.js';
import { allCombinations, otherPackageManagers } from './combinations.js';
import type { Combination } from './offers.js';
import { pairwiseCombinations } from './pairwise-combinations.js';
import { type CheckName, checkNames, type Outcome, runCombination } from './run-combination.js';

/** A combination and what shall be checked of it. */
export interface Run {
  combination: Combination;
  names: CheckName[];
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
  /** The services' own tests only in the largest and the smallest; those of the base once with each framework and each database. */
  brief?: boolean;
}

/** What another package manager can change: texts. Its code is that of npm's combination. */
const textChecks: CheckName[] = ['refused', 'same', 'traces', 'packages', 'links', 'lint'];

/** What is to be run: all combinations, and the other package managers as far as they differ. */
export function plannedRuns(catalog: Catalog, selection: Selection = {}): Run[] {
  const chosen = selection.pairwise ? pairwiseCombinations(catalog) : allCombinations(catalog);
  const others = selection.tests ? [] : otherPackageManagers(catalog);
  const isInBase = new Set(selection.brief ? coveringAll(chosen) : []);
  return [
    ...chosen.map((combination, position) => ({
      combination,
      names: namesFor(selection).filter((name) => {
        if (name === 'base') return isInBase.has(combination);
        return name !== 'tests' || !selection.brief || position < 2;
      }),
    })),
    ...others.map((combination) => ({ combination, names: textChecks })),
  ].filter(({ combination }) => combination.name.includes(selection.only ?? ''));
}

/** As few as stand on each framework and each database that the first does not stand on. */
function coveringAll([first, ...others]: Combination[]): Combination[] {
  const seen = new Set([first?.framework, first?.database]);
  const isNew = ({ framework, database }: Combination) =>
    [framework, database].filter((name) => !seen.has(name)).length;
  return [2, 1].flatMap((count) =>
    others.filter((each) => {
      if (isNew(each) < count) return false;
      seen.add(each.framework).add(each.database);
      return true;
    }),
  );
}

function namesFor({ types, tests }: Selection): CheckName[] {
  if (types) return checkNames.filter((name) => name !== 'tests' && name !== 'base');
  return tests ? ['tests'] : checkNames;
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
): Promise<Outcome[]> {
  const { jobs, workers } = parallelism();
  const open = runs.entries();
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (const [position, { combination, names }] of open) {
      const outcome = await runCombination(catalog, combination, names, workers);
      outcomes[position] = outcome;
      whenDone(outcome);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return outcomes;
}
