import { basename, resolve } from 'node:path';
import { checkAll } from './check.js';
import { runningPackageManager } from './package-managers.js';
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
}

/** What answers are held against while they can still be changed. Each throws a UserError that says why not. */
export interface Checks {
  directory(directory: string): void;
  request(request: Request): void;
}

const standardDirectory = 'my-auth';

/** Fills what is open with the defaults: every method and feature, the package manager that runs this. */
export function completed(
  schema: AnswersSchema,
  given: GivenAnswers,
  directory: string = given.name === undefined ? standardDirectory : folderOf(given.name),
): Request {
  const name = given.name ?? basename(resolve(directory));
  const answers = checkAll(schema, { ...standardAnswers(schema), ...given, name });
  return { directory, answers: withoutIdle(schema, answers) };
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

/** What is answered where nobody says anything; the name comes from the directory. */
function standardAnswers(schema: AnswersSchema): Record<string, unknown> {
  const standard = questionsOf(schema).map(([key, { kind, choices }]) => {
    const values = choices.filter(({ isDefault }) => isDefault).map(({ value }) => value);
    return [key, kind === 'several' ? values : values[0]];
  });
  const packageManager = runningPackageManager(process.env.npm_config_user_agent);
  return { ...Object.fromEntries(standard), packageManager };
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
