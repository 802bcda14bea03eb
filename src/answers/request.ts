import { basename, resolve } from 'node:path';
import { checkAll } from './check.js';
import { fittingDefaults } from './defaults.js';
import { folderOf } from './project-name.js';
import {
  type AnswerKey,
  type Answers,
  type AnswersSchema,
  type GivenAnswers,
  isRelevant,
  questionsOf,
} from './schema.js';

/** Where the project goes, and what it is made of. */
export interface Request {
  directory: string;
  answers: Answers;
  /** A sentence about each choice that was added since another needs it, and each default that does not fit. */
  remarks: string[];
}

/** What answers are held against while they can still be changed. Each check throws a UserError that says why not. */
export interface Checks {
  directory(directory: string): void;
  /** The same without touching anything. */
  directoryAsTyped(directory: string): void;
  request(request: Request): void;
  /** What a choice adds to a project, for people; nothing if it is no layer. */
  broughtBy(choice: string): string | undefined;
}

const standardDirectory = 'my-auth';

/** Fills what is open with the defaults that fit the rest, and the package manager that runs this. */
export function completed(
  schema: AnswersSchema,
  given: GivenAnswers,
  directory: string = given.name === undefined ? standardDirectory : folderOf(given.name),
): Request {
  const name = given.name ?? basename(resolve(directory));
  const { defaults, remarks } = fittingDefaults(schema, given);
  const answers = checkAll(schema, { ...defaults, ...given, name });
  return { directory, answers: withoutIdle(schema, answers), remarks };
}

/** Leaves out the answers about what is not chosen. */
function withoutIdle(schema: AnswersSchema, answers: Answers): Answers {
  const idle = idleQuestions(schema, answers).map(([key]) => key as string);
  const kept = Object.entries(answers).filter(([key]) => !idle.includes(key));
  return Object.fromEntries(kept) as Answers;
}

/** What is answered about layers that are not chosen. */
export function idleQuestions(schema: AnswersSchema, answers: GivenAnswers) {
  return questionsOf(schema).filter(
    ([key, question]) => key in answers && !isRelevant(question, answers),
  );
}

export type Step = 'directory' | AnswerKey;

/** What nobody answered and somebody should, in the order in which it is asked. */
export function openSteps(
  schema: AnswersSchema,
  given: GivenAnswers,
  directory: string | undefined,
  answers = completed(schema, given, directory).answers,
): Step[] {
  const keys = questionsOf(schema)
    .filter(([key, { isAsked }]) => isAsked && given[key] === undefined)
    .filter(([, question]) => isRelevant(question, answers))
    .map(([key]) => key);
  return directory === undefined && given.name === undefined ? ['directory', ...keys] : keys;
}
