import * as z from 'zod/mini';
import { UserError } from '../errors.js';
import { nearest } from '../nearest.js';
import { nameProblem } from './project-name.js';
import type { Question } from './questions.js';
import { type Answers, type AnswersSchema, type GivenAnswers, questionsOf } from './schema.js';

/**
 * Checks answers; some may be missing.
 * @param origin where they come from, as the beginning of the message: a file's name, or nothing for flags
 * @throws UserError with the nearest valid name
 */
export function checkAnswers(schema: AnswersSchema, given: unknown, origin = ''): GivenAnswers {
  const checked = z.partial(schema).safeParse(given);
  if (checked.success) return checked.data;
  throw refusal(schema, given, checked.error, origin);
}

/** Checks a whole set of answers. @throws UserError as `checkAnswers` does */
export function checkAll(schema: AnswersSchema, answers: unknown): Answers {
  const checked = schema.safeParse(answers);
  if (checked.success) return checked.data;
  throw refusal(schema, answers, checked.error, '');
}

function refusal(
  schema: AnswersSchema,
  given: unknown,
  { issues: [issue] }: z.core.$ZodError,
  origin: string,
): UserError {
  if (!issue) throw new Error('refused without a reason');
  const { message, hint } = explain(schema, given, issue);
  return new UserError(origin ? `${origin}: ${message}` : message, hint);
}

type Explanation = { message: string; hint?: string };

function explain(schema: AnswersSchema, given: unknown, issue: z.core.$ZodIssue): Explanation {
  const [key] = issue.path;
  if (key === undefined) return explainWhole(schema, issue);
  const question = questionsOf(schema).find(([name]) => name === key)?.[1];
  if (!question) throw new Error(`there is no question for ${String(key)}`);
  const { title } = question;
  const value = valueAt(given, issue.path);
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    return {
      message: `${title}: there is no ${JSON.stringify(value)}.`,
      hint: suggestion(value, issue.values.map(String)),
    };
  }
  if (issue.code === 'too_small') return { message: `${title}: choose at least one.` };
  if (issue.code === 'custom' && typeof value === 'string') {
    return {
      message: `The name ${JSON.stringify(value)} ${nameProblem(value)}.`,
      hint: 'Give another by --name.',
    };
  }
  return { message: `${JSON.stringify(key)} must be ${typeOf(question)}.` };
}

/** The expected type, which only a file can get wrong. */
function typeOf({ kind, choices: [choice, other] }: Question): string {
  const quoted = [choice, other].flatMap((each) => (each ? [JSON.stringify(each.value)] : []));
  if (kind === 'several') return `a list of names, such as [${quoted.join(', ')}]`;
  return kind === 'one' ? `one name, such as ${quoted[0]}` : 'a string, such as "my-auth"';
}

function explainWhole(schema: AnswersSchema, issue: z.core.$ZodIssue): Explanation {
  const keys = questionsOf(schema).map(([key]) => key);
  if (issue.code !== 'unrecognized_keys') return { message: 'the answers must be a JSON object.' };
  const [unknown = ''] = issue.keys;
  return {
    message: `there is no answer named ${JSON.stringify(unknown)}.`,
    hint: suggestion(unknown, keys),
  };
}

/** The most similar value, and all values. */
export function suggestion(word: string, values: string[]): string {
  const meant = nearest(word, values);
  const all = `Available: ${values.join(', ')}.`;
  return meant === undefined ? all : `Did you mean ${meant}? ${all}`;
}

function valueAt(given: unknown, path: PropertyKey[]): unknown {
  let value = given;
  for (const step of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[step];
  return value;
}
