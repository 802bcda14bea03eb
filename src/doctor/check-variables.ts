import { nearest } from '../nearest.js';
import type { EnvVariable } from '../plan/env-example.js';
import type { Examined } from './examine.js';
import { type Finding, note, ok, problem } from './finding.js';

const about = 'variables';

// What people write for a value that they do not have yet.
const placeholder =
  /^(change[-_ ]?(me|it|this)|your[-_ ].*|<.*>|x{3,}|placeholder|insert[-_ ].*|\.{3})$/i;

/** Values of `.env` that were never filled in, and names that nothing reads, mistyped ones above all. */
export function checkVariables(examined: Examined): Finding[] {
  const { values, variables } = examined.dotEnv;
  if (!values) return [];
  const findings = [...placeholders(values), ...unknownNames(values, variables)];
  return findings.length > 0 ? findings : [ok(about, 'All in .env are in .env.example.')];
}

/** No value is printed: it may be half of a secret. */
function placeholders(values: Record<string, string>): Finding[] {
  return Object.entries(values)
    .filter(([, value]) => placeholder.test(value.trim()))
    .map(([name]) =>
      problem(about, `${name} in .env holds a placeholder.`, 'Fill it in, or leave it empty.'),
    );
}

function unknownNames(values: Record<string, string>, variables: EnvVariable[]): Finding[] {
  const known = variables.map(({ name }) => name);
  const unknown = Object.keys(values).filter((name) => !known.includes(name));
  return unknown.map((name) => {
    const meant = known.filter((each) => !(each in values));
    const like = nearest(
      name.toLowerCase(),
      meant.map((each) => each.toLowerCase()),
    );
    const hint = like ? ` Is ${like.toUpperCase()} meant?` : '';
    return note(about, `${name} is in .env, but not in .env.example.${hint}`);
  });
}
