import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { packageManagerNames } from '../../src/answers/package-managers.js';
import { type Answers, type Question, questionsFrom } from '../../src/answers/questions.js';
import { type Catalog, neededBy } from '../../src/catalog/catalog.js';
import { chooseLayers } from '../../src/catalog/choose-layers.js';
import type { Layer } from '../../src/catalog/layer.js';
import { UserError } from '../../src/errors.js';
import { type Assignment, type Factor, pairwise } from './pairwise.js';

/** One set of answers to all questions; the name is that of its folder. */
export type Combination = Answers;

const ON = 'yes';
const OFF = 'no';

/** Everything that can be chosen, on the first framework and database. */
export function largest(catalog: Catalog): Combination {
  const questions = questionsOf(catalog);
  return combinationOf(questions, largestRow(questions));
}

/** The first method alone, on the first framework and database. */
export function smallest(catalog: Catalog): Combination {
  const questions = questionsOf(catalog);
  return combinationOf(questions, smallestRow(questions));
}

/** Everything, on each framework with each database. */
export function fullCombinations(catalog: Catalog): Combination[] {
  const questions = questionsOf(catalog);
  return offered(questions, 'framework').flatMap((framework) =>
    offered(questions, 'database').map((database) => full(catalog, framework, database)),
  );
}

/** The fewest of them that include each framework and each database. */
export function coveringCombinations(catalog: Catalog): Combination[] {
  const questions = questionsOf(catalog);
  const frameworks = offered(questions, 'framework');
  const databases = offered(questions, 'database');
  const nth = (values: string[], index: number) => values[index % values.length] ?? '';
  return Array.from({ length: Math.max(frameworks.length, databases.length) }, (_, index) =>
    full(catalog, nth(frameworks, index), nth(databases, index)),
  );
}

/**
 * A selection with every possible pair of answers; the largest and the smallest service come first.
 * There are over a hundred thousand subsets of everything. Package managers, which only change texts, take turns.
 */
export function pairwiseCombinations(catalog: Catalog): Combination[] {
  const questions = questionsOf(catalog);
  const ends = [largestRow(questions), smallestRow(questions)];
  const isPossible = (row: Assignment) => canBeChosen(catalog, questions, row);
  return pairwise(factorsOf(questions), isPossible, ends).map((row, index) => ({
    ...combinationOf(questions, row),
    packageManager: packageManagerNames[index % packageManagerNames.length] ?? 'npm',
  }));
}

/**
 * The layers of every selection that at most three methods, features and choices within them call for, with what those
 * require, on the first framework and database; of at most two with each other framework or database.
 */
export function smallSelections(catalog: Catalog): Layer[][] {
  const questions = questionsOf(catalog);
  const [frameworks, databases] = [offered(questions, 'framework'), offered(questions, 'database')];
  const named = catalog.filter(({ group }) => ['method', 'feature', 'choice'].includes(group));
  const rows = frameworks.flatMap((framework, first) =>
    databases.slice(0, first === 0 ? undefined : 1).flatMap((database, second) =>
      subsets(named, first + second === 0 ? 3 : 2).map((wanted) => {
        const all = wanted.flatMap((layer) => [layer, ...neededBy(catalog, layer)]);
        const names = [framework, database, ...all.map(({ name }) => name)];
        return assigned(questions, (value) => names.includes(value));
      }),
    ),
  );
  const different = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
  return different
    .filter((row) => canBeChosen(catalog, questions, row))
    .map((row) => chooseLayers(catalog, combinationOf(questions, row)));
}

/** All with at least one and `most` at most. */
function subsets<Item>([first, ...others]: Item[], most: number): Item[][] {
  if (first === undefined || most === 0) return [];
  return [
    [first],
    ...subsets(others, most - 1).map((each) => [first, ...each]),
    ...subsets(others, most),
  ];
}

/**
 * A random combination of everything that can be chosen, package managers included; the same seed gives the same one.
 */
export function randomCombination(catalog: Catalog, seed: number): Combination {
  const questions = questionsOf(catalog);
  const answers = fc.record(
    Object.fromEntries(questions.map((question) => [question.key, anyAnswer(question)])),
  );
  const rows = answers.map((drawn) => {
    const taken = new Set(Object.values(drawn).flat());
    const isIdle = (key: string) => {
      const { onlyWith } = questions.find((each) => each.key === key) ?? {};
      return onlyWith !== undefined && !taken.has(onlyWith);
    };
    return assigned(questions, (value, key) => taken.has(value) && !isIdle(key));
  });
  const possible = rows.filter((row) => canBeChosen(catalog, questions, row));
  const any = fc.tuple(possible, fc.constantFrom(...packageManagerNames));
  const [drawn] = fc.sample(fc.noBias(any), { seed, numRuns: 1 });
  if (!drawn) throw new Error(`the seed ${seed} draws nothing`);
  const [row, packageManager] = drawn;
  return { ...combinationOf(questions, row), packageManager };
}

function anyAnswer(question: Question): fc.Arbitrary<string | string[]> {
  return question.kind === 'one'
    ? fc.constantFrom(...values(question))
    : fc.subarray(values(question), { minLength: question.needsOne ? 1 : 0 });
}

function full(catalog: Catalog, framework: string, database: string): Combination {
  return { ...largest(catalog), framework, database, name: `${framework}-${database}` };
}

function questionsOf(catalog: Catalog): Question[] {
  return questionsFrom(catalog).filter(
    ({ key, kind }) => key !== 'packageManager' && kind !== 'text',
  );
}

function offered(questions: Question[], key: string): string[] {
  return questions.filter((question) => question.key === key).flatMap(values);
}

function values({ choices }: Question): string[] {
  return choices.map(({ value }) => value);
}

/** A question with one answer is a factor; of a question with several answers, each value is one. */
function factorsOf(questions: Question[]): Factor[] {
  return questions.flatMap((question) =>
    question.kind === 'one'
      ? [{ name: question.key, levels: values(question) }]
      : values(question).map((value) => ({ name: value, levels: [ON, OFF] })),
  );
}

function largestRow(questions: Question[]): Assignment {
  return assigned(questions, () => true);
}

function smallestRow(questions: Question[]): Assignment {
  const [method] = offered(questions, 'methods');
  return assigned(questions, (value) => value === method);
}

/** The row with these values; where one is required, the first. */
function assigned(
  questions: Question[],
  isTaken: (value: string, key: string) => boolean,
): Assignment {
  const levels = questions.flatMap((question) => {
    const { key } = question;
    const all = values(question);
    if (question.kind === 'one') return [[key, all.find((one) => isTaken(one, key)) ?? all[0]]];
    return all.map((value) => [value, isTaken(value, key) ? ON : OFF]);
  });
  return Object.fromEntries(levels);
}

/** True if the row has everything required, and no answer about a layer that is not chosen. */
function canBeChosen(catalog: Catalog, questions: Question[], row: Assignment): boolean {
  const isAnswered = questions.every((question) => {
    const { kind, needsOne, onlyWith } = question;
    const count = values(question).filter((value) => row[value] === ON).length;
    const isIdle = onlyWith !== undefined && row[onlyWith] === OFF;
    return kind === 'one' || (isIdle ? count === 0 : count > 0 || !needsOne);
  });
  if (!isAnswered) return false;
  try {
    chooseLayers(catalog, answersOf(questions, row));
    return true;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

/** The answers of a row; without the name, which takes longer than all else and is not asked for thousands of times. */
function answersOf(questions: Question[], row: Assignment): Combination {
  const answers = questions
    .filter(({ onlyWith }) => onlyWith === undefined || row[onlyWith] === ON)
    .map((question) => {
      const { key } = question;
      const taken = values(question).filter((value) => row[value] === ON);
      return [key, question.kind === 'one' ? row[key] : taken];
    });
  return Object.fromEntries(answers);
}

function combinationOf(questions: Question[], row: Assignment): Combination {
  const answers = answersOf(questions, row);
  const words = Object.entries(answers)
    .flatMap(([key, value]) => {
      const question = questions.find((each) => each.key === key && each.onlyWith);
      return question && values(question).length === value?.length ? 'all' : value;
    })
    .join('-');
  // npm allows names of at most 214 characters.
  const end = createHash('sha256').update(words).digest('hex').slice(0, 8);
  const name = words.length > 200 ? `${words.slice(0, 190)}-${end}` : words;
  return { ...answers, packageManager: 'npm', name };
}
