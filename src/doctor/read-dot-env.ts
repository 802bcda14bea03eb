import { parseEnv } from 'node:util';
import { UserError } from '../errors.js';
import { type EnvVariable, variablesOf } from '../plan/env-example.js';
import type { Project } from '../project/open-project.js';
import { type ProjectFile, readProjectFile } from '../project/read-file.js';

/** `.env` and what `.env.example` says of it. */
export interface DotEnv {
  /** Undefined without a file, as where the environment is given by whoever runs the service. */
  values: Record<string, string> | undefined;
  mode: number;
  /** The variables that `.env.example` names. */
  variables: EnvVariable[];
  /** The values in `.env.example`. */
  examples: Record<string, string>;
}

export function readDotEnv({ root }: Project): DotEnv {
  const file = readable(root, '.env');
  const example = readable(root, '.env.example')?.content.toString() ?? '';
  return {
    values: file && valuesIn(file.content.toString()),
    mode: file?.mode ?? 0,
    variables: variablesOf(example.replaceAll('\r\n', '\n')),
    examples: valuesIn(example),
  };
}

function valuesIn(text: string): Record<string, string> {
  const parsed = Object.entries(parseEnv(text));
  return Object.fromEntries(parsed.map(([name, value]) => [name, value ?? '']));
}

/** A link to another place is how some keep secrets out of a folder: it is not followed, and nothing is said of it. */
function readable(root: string, path: string): ProjectFile | undefined {
  try {
    return readProjectFile(root, path);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
