import { packageManagerNames } from '../../src/answers/package-managers.js';
import type { Catalog } from '../../src/catalog/catalog.js';
import {
  allOwn,
  type Choice,
  type Combination,
  canBeChosen,
  combinationFrom,
  offers,
} from './offers.js';

/**
 * The combinations that are looked at one by one, for npm: on each framework and database all methods with all features, with
 * none, with each feature alone and with each left out; on the first of them besides every set of methods with all features
 * and with none, and each choice within a layer alone. All subsets of everything would be over a hundred thousand.
 */
export function allCombinations(catalog: Catalog): Combination[] {
  const { framework, database, methods, features } = offers(catalog);
  const everywhere = [
    { methods, features },
    { methods, features: [] },
    ...features.map((feature) => ({ methods, features: [feature] })),
    ...features.map((feature) => ({ methods, features: features.filter((f) => f !== feature) })),
  ];
  const methodSets = subsets(methods).flatMap((chosen) => [
    { methods: chosen, features },
    { methods: chosen, features: [] },
  ]);
  const combinations = framework.flatMap((frameworkName, first) =>
    database.flatMap((databaseName, second) => {
      const isFirst = first === 0 && second === 0;
      const choices = (isFirst ? [...everywhere, ...methodSets] : everywhere).flatMap(
        (set) =>
          closed(catalog, { framework: frameworkName, database: databaseName, ...set }) ?? [],
      );
      return choices.flatMap((choice) =>
        isFirst
          ? ownAnswers(catalog, choice)
          : (combinationFrom(catalog, choice, allOwn(catalog)) ?? []),
      );
    }),
  );
  return [...new Map(combinations.map((each) => [each.name, each])).values()];
}

/** Everything that can be chosen, on the first framework and database. */
export function largest(catalog: Catalog): Combination {
  const { framework, database, methods, features } = offers(catalog);
  return required(
    combinationFrom(catalog, { ...first(framework, database), methods, features }, allOwn(catalog)),
  );
}

/** The first method that needs no other layer, and nothing else. */
export function smallest(catalog: Catalog): Combination {
  const { framework, database, methods } = offers(catalog);
  const [method = ''] = methods;
  const choice = { ...first(framework, database), methods: [method], features: [] };
  return required(combinationFrom(catalog, choice, allOwn(catalog)));
}

/** The largest combination for each other package manager: only texts differ, so one each is enough. */
export function otherPackageManagers(catalog: Catalog): Combination[] {
  const everything = largest(catalog);
  return packageManagerNames
    .filter((packageManager) => packageManager !== everything.packageManager)
    .map((packageManager) => ({ ...everything, packageManager }))
    .map((choice) => ({ ...choice, name: `${everything.name}-${choice.packageManager}` }));
}

function first([framework = '']: string[], [database = '']: string[]) {
  return { framework, database };
}

function required(combination: Combination | undefined): Combination {
  if (!combination) throw new Error('what should be possible cannot be chosen');
  return combination;
}

/** The choice with those features left out that need what is not chosen; undefined if there is no method. */
function closed(catalog: Catalog, choice: Choice): Choice | undefined {
  if (canBeChosen(catalog, choice)) return choice;
  const bare = { ...choice, features: [] };
  const features = choice.features.filter((feature) =>
    canBeChosen(catalog, { ...bare, features: [feature] }),
  );
  const kept = { ...choice, features };
  return canBeChosen(catalog, kept) ? kept : undefined;
}

/** What the layers ask about themselves: answered with everything, and where there are no features with each value alone. */
function ownAnswers(catalog: Catalog, choice: Choice): Combination[] {
  const all = allOwn(catalog);
  const alone = Object.entries(all).flatMap(([key, values]) =>
    values.map((value) => ({ ...all, [key]: [value] })),
  );
  const answers = [all, ...(choice.features.length === 0 ? alone : [])];
  return answers.flatMap((own) => combinationFrom(catalog, choice, own) ?? []);
}

/** All subsets, the empty one first and the whole last. */
function subsets([name, ...others]: string[]): string[][] {
  if (name === undefined) return [[]];
  const smaller = subsets(others);
  return [...smaller, ...smaller.map((set) => [name, ...set])];
}
