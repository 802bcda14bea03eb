import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { systemCode, UserError } from '../errors.js';
import { checkAnswers } from './check.js';
import { defaultsFor, whyImpossible } from './defaults.js';
import type { GivenAnswers, Question } from './questions.js';
import { leftOut, needlessAnswers } from './request.js';

/**
 * The answers of a `--config` file, `-` being standard input. Its keys are those of the manifest's `answers`.
 * @throws UserError if it cannot be read, is not JSON, or answers a question that does not exist
 */
export async function readConfig(questions: Question[], path: string): Promise<GivenAnswers> {
  const origin = configName(path);
  return checkAnswers(questions, parse(await read(path, origin), origin), origin);
}

/** What messages call the file. */
export function configName(path: unknown): string {
  return path === '-' ? 'standard input' : String(path) || '--config ""';
}

async function read(path: string, origin: string): Promise<string> {
  try {
    // Who writes to standard input may be slow: a blocking read would ignore signals meanwhile.
    return path === '-' ? await text(process.stdin) : readFileSync(path, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') throw new UserError(`${origin} does not exist.`);
    throw new UserError(`${origin} cannot be read (${code}).`);
  }
}

function parse(json: string, origin: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UserError(`${origin} is not JSON: ${(error as Error).message}`);
  }
}

/**
 * The answers of a file that no flag overrides, without those that the flags have made impossible, and a sentence about
 * each of these. A file that is impossible by itself stays as it is, to be refused.
 */
export function possibleAnswers(
  questions: Question[],
  file: GivenAnswers,
  given: GivenAnswers,
  unwanted: string[],
): { fromFile: GivenAnswers; remarks: string[] } {
  if (!isPossible(questions, file)) return { fromFile: file, remarks: [] };
  const { defaults, remarks } = defaultsFor(questions, given, unwanted, file);
  const all = { ...defaults, ...given };
  const needless = needlessAnswers(questions, all).filter(({ key }) => key in file);
  const possible = Object.entries(file)
    .filter(([name]) => !needless.some(({ key }) => key === name))
    .map(([name, answer]) => [name, Array.isArray(answer) ? defaults[name] : answer]);
  return {
    fromFile: Object.fromEntries(possible),
    remarks: [...remarks, ...needless.map(leftOut)],
  };
}

function isPossible(questions: Question[], file: GivenAnswers): boolean {
  const all = { ...defaultsFor(questions, file).defaults, ...file };
  const chosen = Object.values(all).flat();
  const isImpossible = questions.some(({ key, choices }) =>
    choices.some((each) => [file[key]].flat().includes(each.value) && whyImpossible(each, chosen)),
  );
  return !isImpossible && !needlessAnswers(questions, all).some(({ key }) => key in file);
}
