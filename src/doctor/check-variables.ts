import { nearest } from '../nearest.js';
import type { EnvVariable } from '../plan/env-example.js';
import type { Examined } from './check-project.js';
import { placeholder, secretsOf } from './dot-env.js';
import { type Finding, findingsOrOk, note, problem } from './finding.js';

/** Finds values in `.env` that were never filled in, and names that nothing reads, especially mistyped ones. */
export function checkVariables(examined: Examined): Finding[] {
  const { values, variables } = examined.dotEnv;
  if (!values) return [];
  const findings = [
    ...placeholders(values, secretsOf(examined.dotEnv)),
    ...unknownNames(values, variables),
  ];
  return findingsOrOk(findings, 'variables', 'All in .env are in .env.example.');
}

/**
 * No value is printed: it may be half of a secret.
 * @param secrets are reported by their own check
 */
function placeholders(values: Record<string, string>, secrets: string[]): Finding[] {
  return Object.entries(values)
    .filter(([name, value]) => !secrets.includes(name) && placeholder.test(value.trim()))
    .map(([name]) =>
      problem(
        'variables',
        `${name} in .env holds a placeholder.`,
        'Fill it in, or leave it empty.',
      ),
    );
}

function unknownNames(values: Record<string, string>, variables: EnvVariable[]): Finding[] {
  const known = variables.map(({ name }) => name);
  // A secret may come from a file, named by its variable with `_FILE`.
  const unknown = Object.keys(values).filter(
    (name) => !known.includes(name) && !known.includes(name.replace(/_FILE$/, '')),
  );
  return unknown.map((name) => {
    const meant = known.filter((each) => !(each in values));
    const like = nearest(
      name.toLowerCase(),
      meant.map((each) => each.toLowerCase()),
    );
    const hint = like ? ` Did you mean ${like.toUpperCase()}?` : '';
    return note('variables', `${name} is in .env, but not in .env.example.${hint}`);
  });
}
