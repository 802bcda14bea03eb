import { completed } from '../src/answers/resolve.js';
import { type Answers, answersSchema, questionsOf } from '../src/answers/schema.js';
import type { Catalog } from '../src/catalog/read-catalog.js';

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
