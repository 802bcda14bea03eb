import { basename, resolve } from 'node:path';
import { UserError } from '../errors.js';
import type { Terminal } from '../terminal.js';
import { checkAll, checkAnswers } from './check.js';
import { answersFromFlags, type FlagValues, featuresLeftOut } from './flags.js';
import { runningPackageManager } from './package-managers.js';
import { folderOf } from './project-name.js';
import { readConfig } from './read-config.js';
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

export const standardDirectory = 'my-auth';

/** What the command line and the `--config` file say; a flag beats the file. */
export function givenAnswers(schema: AnswersSchema, flags: FlagValues): GivenAnswers {
  const fromFile = typeof flags.config === 'string' ? readConfig(schema, flags.config) : {};
  const given = {
    ...fromFile,
    ...checkAnswers(schema, answersFromFlags(questionsOf(schema), flags)),
  };
  const leftOut = featuresLeftOut(questionsOf(schema), flags);
  if (leftOut.length === 0) return given;
  const { features } = completed(schema, given).answers;
  return { ...given, features: features.filter((name) => !leftOut.includes(name)) };
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

/**
 * Completes what is given: by questions if somebody can answer them, by the defaults with `--yes`.
 * @throws UserError if answers are open, nobody can be asked and `--yes` is missing
 */
export async function resolveRequest(
  schema: AnswersSchema,
  directory: string | undefined,
  flags: FlagValues,
  checks: Checks,
  terminal: Terminal,
): Promise<Request> {
  const given = givenAnswers(schema, flags);
  const open = openSteps(schema, given, directory);
  if (open.length > 0 && flags.yes !== true) {
    if (!terminal.isInteractive) throw refuseToGuess(schema, open);
    const { askOpenAnswers } = await import('./ask.js');
    return askOpenAnswers(schema, { directory, given, checks }, terminal.output);
  }
  refuseIdle(schema, given);
  return completed(schema, given, directory);
}

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

function idleQuestions(schema: AnswersSchema, answers: GivenAnswers) {
  return questionsOf(schema).filter(
    ([key, question]) => key in answers && !isRelevant(question, answers),
  );
}

/** @throws UserError if something is answered about a layer that is not chosen */
function refuseIdle(schema: AnswersSchema, given: GivenAnswers): void {
  const chosen = completed(schema, given).answers;
  const answered = { ...chosen, ...given };
  const [idle] = idleQuestions(schema, answered);
  if (!idle) return;
  const [, { title, flag, onlyWith }] = idle;
  throw new UserError(
    `${title}: ${onlyWith} is not chosen.`,
    1,
    `Choose ${onlyWith}, or leave out ${flag.replace(/ .*/, '')}.`,
  );
}

/** What is answered where nobody says anything; the name comes from the directory. */
export function standardAnswers(schema: AnswersSchema): Record<string, unknown> {
  const standard = questionsOf(schema).map(([key, { kind, choices }]) => {
    const values = choices.filter(({ isDefault }) => isDefault).map(({ value }) => value);
    return [key, kind === 'several' ? values : values[0]];
  });
  const packageManager = runningPackageManager(process.env.npm_config_user_agent);
  return { ...Object.fromEntries(standard), packageManager };
}

function refuseToGuess(schema: AnswersSchema, open: Step[]): UserError {
  const flags = questionsOf(schema)
    .filter(([key]) => open.includes(key))
    .map(([, { flag }]) => flag.replace(/ .*/, ''));
  const named = open.includes('directory') ? ['the directory', ...flags] : flags;
  return new UserError(
    `There is no terminal to ask on, and these are open: ${named.join(', ')}.`,
    1,
    'Give them, or take the defaults with --yes.',
  );
}
