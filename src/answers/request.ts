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
  /** A sentence about each choice added because another needs it, and about each default that does not fit. */
  remarks: string[];
}

/** Checks of answers while they can still be changed. Each throws a UserError that says why an answer is refused. */
export interface Checks {
  directory(directory: string): void;
  request(request: Request): void;
  /** What a choice adds to a project, for people; nothing if it is not a layer. */
  broughtBy(choice: string): string | undefined;
}

const standardDirectory = 'my-auth';

/** Fills open answers with the defaults that fit the rest, and with the package manager that runs this program. */
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

/** Leaves out the answers about layers that are not chosen. */
function withoutIdle(schema: AnswersSchema, answers: Answers): Answers {
  const idle = idleQuestions(schema, answers).map(([key]) => key as string);
  const kept = Object.entries(answers).filter(([key]) => !idle.includes(key));
  return Object.fromEntries(kept) as Answers;
}

/** The questions that are answered although their layers are not chosen. */
export function idleQuestions(schema: AnswersSchema, answers: GivenAnswers) {
  return questionsOf(schema).filter(
    ([key, question]) => key in answers && !isRelevant(question, answers),
  );
}

export type Step = 'directory' | AnswerKey;

/** The questions still to be asked, in order. */
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
