import { valuesOf } from '../../src/answers/questions.js';
import type { Catalog } from '../../src/catalog/catalog.js';
import { largest, smallest } from './combinations.js';
import { allOwn, type Combination, combinationFrom, offers } from './offers.js';
import { type Assignment, type Factor, pairwise } from './pairwise.js';

const ON = 'yes';
const OFF = 'no';

/** A selection in which each pair of choices occurs; the largest and the smallest service come first. */
export function pairwiseCombinations(catalog: Catalog): Combination[] {
  const factors = factorsOf(catalog);
  const possible = (assignment: Assignment) => combinationOf(catalog, assignment) !== undefined;
  const ends = [largest(catalog), smallest(catalog)].map((each) => assignmentOf(catalog, each));
  return pairwise(factors, possible, ends).flatMap(
    (assignment) => combinationOf(catalog, assignment) ?? [],
  );
}

function factorsOf(catalog: Catalog): Factor[] {
  const { framework, database, methods, features } = offers(catalog);
  const within = Object.values(allOwn(catalog)).flat();
  return [
    { name: 'framework', levels: framework },
    { name: 'database', levels: database },
    ...[...methods, ...features, ...within].map((name) => ({ name, levels: [ON, OFF] })),
  ];
}

function assignmentOf(catalog: Catalog, combination: Combination): Assignment {
  const { framework, database, methods, features } = combination;
  const within = Object.keys(allOwn(catalog)).flatMap((key) => valuesOf(combination, key));
  const chosen = new Set([...methods, ...features, ...within]);
  const names = factorsOf(catalog).map(({ name }) => name);
  const switches = names.map((name) => [name, chosen.has(name) ? ON : OFF]);
  return { ...Object.fromEntries(switches), framework, database };
}

/** The combination that an assignment stands for; undefined if it cannot be chosen. */
function combinationOf(catalog: Catalog, assignment: Assignment): Combination | undefined {
  const { methods, features } = offers(catalog);
  const isOn = (name: string) => assignment[name] === ON;
  const { framework = '', database = '' } = assignment;
  const chosen = { methods: methods.filter(isOn), features: features.filter(isOn) };
  const own = Object.entries(allOwn(catalog)).map(([key, values]) => [key, values.filter(isOn)]);
  const choice = { framework, database, ...chosen };
  return combinationFrom(catalog, choice, Object.fromEntries(own), true);
}
