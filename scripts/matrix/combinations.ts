import { packageManagerNames } from '../../src/answers/package-managers.js';
import { type Answers, answersSchema, questionsOf, valuesOf } from '../../src/answers/schema.js';
import { chooseLayers } from '../../src/catalog/choose-layers.js';
import { type Catalog, choicesOf } from '../../src/catalog/read-catalog.js';
import { UserError } from '../../src/errors.js';

/** One way to answer all questions; the name is that of its folder. */
export type Combination = Answers;

/**
 * Every combination of frameworks, databases, methods and features that can be chosen, for npm. What layers ask about
 * themselves is answered with everything, and in services without features with each value alone as well.
 */
export function allCombinations(catalog: Catalog): Combination[] {
  const offered = offers(catalog);
  return offered.framework.flatMap((framework) =>
    offered.database.flatMap((database) =>
      subsets(offered.methods).flatMap((methods) =>
        subsets(offered.features)
          .map((features) => ({ framework, database, methods, features }))
          .filter((choice) => methods.length > 0 && canBeChosen(catalog, choice))
          .flatMap((choice) =>
            ownAnswers(catalog, choice).map((own) =>
              named({ ...choice, packageManager: 'npm' as const }, own),
            ),
          ),
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
    .map((packageManager) => ({ ...largest, packageManager }))
    .map((choice) => ({ ...choice, name: `${largest.name}-${choice.packageManager}` }));
}

/** What an answer set chooses, as words: `framework=…`, and on or off for each method and feature. */
export function factorsOf(catalog: Catalog, combination: Combination): string[] {
  const { methods, features } = offers(catalog);
  const chosen = [...combination.methods, ...combination.features];
  const switches = [...methods, ...features].map((name) => `${name}=${chosen.includes(name)}`);
  const own = catalog.flatMap(({ name, choices }) =>
    choicesOf(catalog, name).map(
      (each) => `${each.name}=${valuesOf(combination, choices?.key ?? '').includes(each.name)}`,
    ),
  );
  return [
    `framework=${combination.framework}`,
    `database=${combination.database}`,
    ...[...switches, ...own].sort(),
  ];
}

interface OwnAnswers {
  /** Part of the combination's name; empty where everything is chosen. */
  name: string[];
  answers: Record<string, string[]>;
}

function ownAnswers(catalog: Catalog, choice: Choice): OwnAnswers[] {
  const questions = chooseLayers(catalog, choice).flatMap(({ name, choices }) =>
    choices
      ? [{ key: choices.key, values: choicesOf(catalog, name).map((each) => each.name) }]
      : [],
  );
  const all = Object.fromEntries(questions.map(({ key, values }) => [key, values]));
  const alone = questions.flatMap(({ key, values }) =>
    values.map((value) => ({ name: [value], answers: { ...all, [key]: [value] } })),
  );
  return [{ name: [], answers: all }, ...(choice.features.length === 0 ? alone : [])];
}

type Choice = Omit<Combination, 'name' | 'packageManager'>;

function named(choice: Omit<Combination, 'name'>, own: OwnAnswers): Combination {
  const { framework, database, methods, features } = choice;
  const name = [framework, database, ...methods, ...features, ...own.name].join('-');
  return { ...choice, ...own.answers, name };
}

function layerCount({ methods, features }: Combination): number {
  return methods.length + features.length;
}

function canBeChosen(catalog: Catalog, choice: Choice): boolean {
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
