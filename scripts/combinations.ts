import { completed } from '../src/answers/request.js';
import { type Answers, answersSchema, questionsOf } from '../src/answers/schema.js';
import type { Catalog } from '../src/catalog/catalog.js';

/** Answers for each framework on each database, with every method and feature. */
export function fullCombinations(catalog: Catalog): Answers[] {
  const schema = answersSchema(catalog);
  const offered = Object.fromEntries(
    questionsOf(schema).map(([key, { choices }]) => [key, choices.map(({ value }) => value)]),
  );
  const { framework: frameworks = [], database: databases = [], methods, features } = offered;
  return frameworks.flatMap((framework) =>
    databases.map((database) => {
      const given = { framework, database, methods, features, packageManager: 'npm' as const };
      return completed(schema, given, `${framework}-${database}`).answers;
    }),
  );
}

/** As few of them as hold each framework and each database; what meets only in a pair, the matrix sees. */
export function coveringCombinations(catalog: Catalog): Answers[] {
  const all = fullCombinations(catalog);
  const [frameworks, databases] = (['framework', 'database'] as const).map((key) => [
    ...new Set(all.map((answers) => answers[key])),
  ]);
  const count = Math.max(frameworks?.length ?? 0, databases?.length ?? 0);
  return Array.from({ length: count }, (_, index) =>
    all.find(
      ({ framework, database }) =>
        framework === frameworks?.[index % frameworks.length] &&
        database === databases?.[index % databases.length],
    ),
  ).flatMap((answers) => answers ?? []);
}
