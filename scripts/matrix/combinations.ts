import { packageManagerNames } from '../../src/answers/package-managers.js';
import { type Answers, answersSchema, questionsOf } from '../../src/answers/schema.js';
import { chooseLayers } from '../../src/catalog/choose-layers.js';
import type { Catalog } from '../../src/catalog/read-catalog.js';
import { UserError } from '../../src/errors.js';

/** One way to answer all questions; the name is that of its folder. */
export type Combination = Answers;

/** Every combination of frameworks, databases, methods and features that can be chosen, for npm. */
export function allCombinations(catalog: Catalog): Combination[] {
  const offered = offers(catalog);
  return offered.framework.flatMap((framework) =>
    offered.database.flatMap((database) =>
      subsets(offered.methods).flatMap((methods) =>
        subsets(offered.features)
          .map((features) => ({ framework, database, methods, features }))
          .filter((choice) => methods.length > 0 && canBeChosen(catalog, choice))
          .map((choice) => named({ ...choice, packageManager: 'npm' as const })),
      ),
    ),
  );
}

/** The combination with the most layers; the first of several. */
export function largestOf(all: Combination[]): Combination {
  const [largest] = [...all].sort((a, b) => layerCount(b) - layerCount(a));
  if (!largest) throw new Error('there is nothing to choose from');
  return largest;
}

/** The largest combination for each other package manager: only texts differ, so one each is enough. */
export function otherPackageManagers(all: Combination[]): Combination[] {
  const largest = largestOf(all);
  return packageManagerNames
    .filter((packageManager) => packageManager !== largest.packageManager)
    .map((packageManager) => named({ ...largest, packageManager }));
}

/** What an answer set chooses, as words: `framework=…`, and on or off for each method and feature. */
export function factorsOf(catalog: Catalog, combination: Combination): string[] {
  const { methods, features } = offers(catalog);
  const chosen = [...combination.methods, ...combination.features];
  const switches = [...methods, ...features].map((name) => `${name}=${chosen.includes(name)}`);
  return [
    `framework=${combination.framework}`,
    `database=${combination.database}`,
    ...switches.sort(),
  ];
}

function named(choice: Omit<Combination, 'name'>): Combination {
  const { framework, database, methods, features, packageManager } = choice;
  const other = packageManager === 'npm' ? [] : [packageManager];
  const name = [framework, database, ...methods, ...features, ...other].join('-');
  return { ...choice, name };
}

function layerCount({ methods, features }: Combination): number {
  return methods.length + features.length;
}

function canBeChosen(
  catalog: Catalog,
  choice: Omit<Combination, 'name' | 'packageManager'>,
): boolean {
  try {
    chooseLayers(catalog, choice);
    return true;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

function offers(catalog: Catalog) {
  const values = Object.fromEntries(
    questionsOf(answersSchema(catalog)).map(([key, { choices }]) => [
      key,
      choices.map(({ value }) => value),
    ]),
  );
  const { framework = [], database = [], methods = [], features = [] } = values;
  return { framework, database, methods, features };
}

/** All subsets, the empty one first and the whole last. */
function subsets([name, ...others]: string[]): string[][] {
  if (name === undefined) return [[]];
  const smaller = subsets(others);
  return [...smaller, ...smaller.map((set) => [name, ...set])];
}
