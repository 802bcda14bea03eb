import { readFileSync } from 'node:fs';
import { systemCode, UserError } from '../errors.js';
import { checkAnswers } from './check.js';
import type { AnswersSchema, GivenAnswers } from './schema.js';

/**
 * The answers of a `--config` file, `-` being standard input. Its keys are those of the manifest's `answers`.
 * @throws UserError if it cannot be read, is no JSON, or answers what nobody asks
 */
export function readConfig(schema: AnswersSchema, path: string): GivenAnswers {
  const origin = path === '-' ? 'standard input' : path;
  return checkAnswers(schema, parse(read(path, origin), origin), origin);
}

function read(path: string, origin: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new UserError(`${origin} cannot be read (${systemCode(error)}).`);
  }
}

function parse(text: string, origin: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UserError(`${origin} is not JSON: ${(error as Error).message}`);
  }
}
