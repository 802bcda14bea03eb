import { readFileSync } from 'node:fs';
import { systemCode, UserError } from '../errors.js';
import type { Terminal } from '../terminal.js';
import { checkAnswers } from './check.js';
import { fittingDefaults } from './defaults.js';
import { fittingFile } from './fitting-file.js';
import { answersFromFlags, type FlagValues, featuresLeftOut } from './flags.js';
import {
  type Checks,
  completed,
  idleQuestions,
  openSteps,
  type Request,
  type Step,
} from './request.js';
import { type AnswersSchema, type GivenAnswers, questionsOf } from './schema.js';

/**
 * What the command line and the `--config` file say; a flag beats the file. Leaving out a feature by `--no-<feature>`
 * chooses all others that fit.
 */
export function givenAnswers(
  schema: AnswersSchema,
  flags: FlagValues,
): { given: GivenAnswers; remarks: string[] } {
  const file = typeof flags.config === 'string' ? readConfig(schema, flags.config) : {};
  const unwanted = featuresLeftOut(questionsOf(schema), flags);
  const fromFlags = checkAnswers(schema, answersFromFlags(questionsOf(schema), flags));
  const { fromFile, remarks: left } = fittingFile(schema, file, fromFlags, unwanted);
  const needed = withNeeded(schema, { ...fromFile, ...fromFlags }, unwanted);
  const { given } = needed;
  const added = [...left, ...needed.remarks];
  if (unwanted.length === 0) return { given, remarks: added };
  const { defaults, remarks } = fittingDefaults(schema, given, unwanted);
  const { features = [] } = checkAnswers(schema, { ...defaults, ...given });
  const wanted = features.filter((name) => !unwanted.includes(name));
  return { given: { ...given, features: wanted }, remarks: [...added, ...remarks] };
}

/**
 * Adds what a choice needs, if the same question offers it. What another question offers is not added: somebody has to
 * agree to a way of signing in.
 */
function withNeeded(schema: AnswersSchema, given: GivenAnswers, unwanted: string[]) {
  const remarks: string[] = [];
  const answers: Record<string, unknown> = { ...given };
  for (const [key, { choices }] of questionsOf(schema)) {
    const chosen = answers[key];
    if (!Array.isArray(chosen)) continue;
    const all = new Set<unknown>(chosen);
    for (const { value, needs } of choices.filter((choice) => chosen.includes(choice.value))) {
      for (const need of needs) {
        const isOffered = choices.some((choice) => choice.value === need);
        if (!isOffered || all.has(need) || unwanted.includes(need)) continue;
        all.add(need);
        remarks.push(`${need} is added: ${value} needs it.`);
      }
    }
    answers[key] = [...all];
  }
  return { given: checkAnswers(schema, answers), remarks };
}

/**
 * Completes the given answers: by asking if somebody can answer, by the defaults with `--yes`.
 * @throws UserError if answers are open, nobody can be asked and `--yes` is missing
 */
export async function resolveRequest(
  schema: AnswersSchema,
  directory: string | undefined,
  flags: FlagValues,
  checks: Checks,
  terminal: Terminal,
): Promise<Request> {
  const { given, remarks } = givenAnswers(schema, flags);
  const open = openSteps(schema, given, directory);
  if (open.length > 0 && flags.yes !== true) {
    if (!terminal.isInteractive) throw refuseToGuess(schema, open);
    const { askOpenAnswers } = await import('./ask.js');
    const end = flags.dryRun === true ? 'Showing the project.' : 'Creating the project.';
    const draft = { directory, given, checks, end };
    const asked = await askOpenAnswers(schema, draft, terminal.output);
    return { ...asked, remarks: eachOnce([...remarks, ...asked.remarks]) };
  }
  refuseIdle(schema, given, flags);
  const request = completed(schema, given, directory);
  return { ...request, remarks: eachOnce([...remarks, ...request.remarks]) };
}

const eachOnce = (remarks: string[]) => [...new Set(remarks)];

/** @throws UserError if something is answered about a layer that is not chosen */
function refuseIdle(schema: AnswersSchema, given: GivenAnswers, flags: FlagValues): void {
  const chosen = completed(schema, given).answers;
  const answered = { ...chosen, ...given };
  const [idle] = idleQuestions(schema, answered);
  if (!idle) return;
  const [key, { title, flag, onlyWith }] = idle;
  const where = key in flags ? flag.replace(/ .*/, '') : `${key} in ${nameOf(flags.config)}`;
  throw new UserError(
    `${title}: ${onlyWith} is not chosen.`,
    `Choose ${onlyWith}, or leave out ${where}.`,
  );
}

function refuseToGuess(schema: AnswersSchema, open: Step[]): UserError {
  const flags = questionsOf(schema)
    .filter(([key]) => open.includes(key))
    .map(([, { flag }]) => flag.replace(/ .*/, ''));
  const named = open.includes('directory') ? ['the directory', ...flags] : flags;
  return new UserError(
    `There is no terminal to ask on, and these answers are missing: ${named.join(', ')}.`,
    'Give them, or take the defaults with --yes.',
  );
}

/**
 * The answers of a `--config` file, `-` being standard input. Its keys are those of the manifest's `answers`.
 * @throws UserError if it cannot be read, is not JSON, or answers a question that does not exist
 */
function readConfig(schema: AnswersSchema, path: string): GivenAnswers {
  const origin = nameOf(path);
  return checkAnswers(schema, parse(read(path, origin), origin), origin);
}

function nameOf(config: unknown): string {
  return config === '-' ? 'standard input' : String(config);
}

function read(path: string, origin: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') throw new UserError(`${origin} does not exist.`);
    throw new UserError(`${origin} cannot be read (${code}).`);
  }
}

function parse(text: string, origin: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UserError(`${origin} is not JSON: ${(error as Error).message}`);
  }
}
