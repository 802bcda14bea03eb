import { nearest } from '../nearest.js';
import type { Examined } from './examine.js';
import { type Finding, note, ok } from './finding.js';

const about = 'variables';

/** Variables of `.env` that nothing reads; mistyped names above all. */
export function checkVariables({ dotEnv: { values, variables } }: Examined): Finding[] {
  if (!values) return [];
  const known = variables.map(({ name }) => name);
  const unknown = Object.keys(values).filter((name) => !known.includes(name));
  if (unknown.length === 0) return [ok(about, 'All in .env are in .env.example.')];
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
