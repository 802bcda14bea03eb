import { expect } from 'vitest';
import type { Document } from '../../src/documents.js';
import type { CliOptions } from './cli.js';
import type { MadeProject } from './made-project.js';

/** The problems and notes that `doctor` reports; each has a remedy. */
export async function doctor(
  { inside }: MadeProject,
  args: string[] = [],
  options: Partial<CliOptions> = {},
) {
  const { exitCode, stdout } = await inside(['doctor', '--json', ...args], options);
  const { findings }: Document<'doctor'> = JSON.parse(stdout);
  const toDo = findings.filter(({ severity }) => severity !== 'ok');
  expect(toDo.filter(({ remedy }) => !remedy)).toEqual([]);
  return {
    exitCode,
    stdout,
    problems: findings
      .filter(({ severity }) => severity === 'problem')
      .map(({ about, message }) => `${about}: ${message}`),
    notes: findings.filter(({ severity }) => severity === 'note').map(({ message }) => message),
  };
}
