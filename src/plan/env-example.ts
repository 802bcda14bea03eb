import { randomBytes } from 'node:crypto';
import type { Fragments } from '../catalog/read-sources.js';

/** A variable of `.env.example`, and whether creation draws a secret for it. */
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

// 256 bits, as many as HMAC-SHA-256 can use (RFC 7518, 3.2).
const secretBytes = 32;

/** A new random secret, in hex. */
export function drawSecret(): string {
  return randomBytes(secretBytes).toString('hex');
}

/**
 * `.env.example` with a fresh secret for each variable that asks for one, also in a URL that has it as its user info.
 * This is the only random text of a project.
 */
export function drawSecrets(envExample: string, variables: EnvVariable[]): string {
  const names = variables.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  return names.reduce((text, name) => {
    const secret = drawSecret();
    return text
      .replace(new RegExp(`^${name}=$`, 'm'), `${name}=${secret}`)
      .replace(`:${name}@`, `:${secret}@`);
  }, envExample);
}
