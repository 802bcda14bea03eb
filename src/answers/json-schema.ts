import type { Question } from './questions.js';

/** A JSON Schema (2020-12) of the answers: what `--config` takes, and what the manifest of a project holds. */
export function answersJsonSchema(questions: Question[]): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Answers of create-auth-service',
    description: 'What is left out is asked for, or answered by its default with --yes.',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(questions.map((question) => [question.key, schemaOf(question)])),
  };
}

function schemaOf({ title, ask, kind, choices, needsOne, onlyWith }: Question): object {
  const description = onlyWith === undefined ? ask : `${ask} Only with ${onlyWith}.`;
  if (kind === 'text') return { title, description, type: 'string', minLength: 1, maxLength: 214 };
  const marked = choices.filter(({ isDefault }) => isDefault).map(({ value }) => value);
  const values = choices.map((choice) => ({
    const: choice.value,
    title: choice.title,
    ...(choice.hint ? { description: choice.hint } : {}),
  }));
  if (kind === 'one') return { title, description, oneOf: values, default: marked[0] };
  const minItems = needsOne ? 1 : 0;
  return { title, description, type: 'array', items: { oneOf: values }, minItems, default: marked };
}
