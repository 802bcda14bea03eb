import type { Fragments } from '../catalog/read-sources.js';

/** A variable of `.env.example`, and whether creation generates a secret for it. */
export interface EnvVariable {
  name: string;
  isSecret: boolean;
}

/**
 * Joins the layers' parts of `.env.example`, a blank line between them.
 * @throws Error if two layers declare one variable
 */
export function mergeEnvExamples(fragments: Fragments[]): {
  text: string;
  variables: EnvVariable[];
} {
  const parts = fragments.flatMap(({ envExample }) => envExample?.trim() || []);
  const text = parts.length > 0 ? `${parts.join('\n\n')}\n` : '';
  const variables = variablesOf(text);
  const names = variables.map(({ name }) => name);
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice) throw new Error(`two layers declare ${twice} in env.example`);
  return { text, variables };
}

/** The variables that the text of an `.env.example` names. */
export function variablesOf(text: string): EnvVariable[] {
  const lines = text.split('\n');
  return lines.flatMap((line, position) => {
    const name = /^([A-Z][A-Z0-9_]*)=/.exec(line)?.[1];
    return name ? [{ name, isSecret: lines[position - 1] === '# secret: hex32' }] : [];
  });
}
