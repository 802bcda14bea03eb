import type { Examined } from './examine.js';
import { type Finding, note, ok, problem } from './finding.js';
import { weakness } from './weak-secret.js';

const about = 'secrets';
const draw = 'Draw another: openssl rand -hex 32';

/** What `.env` says of the secrets which `.env.example` asks for. No value is ever printed. */
export function checkSecrets({ dotEnv: { values, variables, mode } }: Examined): Finding[] {
  const names = variables.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  if (!values) return [withoutFile(names)];
  const drawn = names.map((name) => ({ name, secrets: secretsIn(values[name]) }));
  const findings = [
    ...modeFindings(mode),
    ...drawn.filter(({ secrets }) => secrets.length === 0).map(({ name }) => missing(name)),
    ...drawn.flatMap(({ name, secrets }) => weakFindings(name, secrets)),
    ...equalFindings(drawn),
  ];
  return findings.length > 0 ? findings : [ok(about, `${names.length} in .env, each its own.`)];
}

function withoutFile(names: string[]): Finding {
  const missingNames = names.filter((name) => !process.env[name]);
  if (missingNames.length === 0) return ok(about, 'There is no .env; the environment has them.');
  return problem(
    about,
    `There is no .env, and the environment has no ${missingNames.join(', ')}.`,
    'cp .env.example .env && chmod 600 .env, then fill in what is marked "secret": openssl rand -hex 32',
  );
}

/** A comma list rotates: the first signs, all verify. */
function secretsIn(value = ''): string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function modeFindings(mode: number): Finding[] {
  const isPrivate = (mode & 0o077) === 0 || process.platform === 'win32';
  if (isPrivate) return [];
  const message = `.env can be read by other users of this machine (mode ${mode.toString(8)}).`;
  return [problem(about, message, 'chmod 600 .env, or: create-auth-service doctor --fix')];
}

function missing(name: string): Finding {
  return process.env[name]
    ? note(about, `${name} is set by the environment, not in .env.`)
    : problem(about, `${name} is empty in .env.`, draw);
}

function weakFindings(name: string, secrets: string[]): Finding[] {
  const [why] = secrets.map(weakness).filter((each) => each !== undefined);
  return why ? [problem(about, `${name} is weak: ${why}.`, draw)] : [];
}

function equalFindings(drawn: { name: string; secrets: string[] }[]): Finding[] {
  const owners = new Map<string, string[]>();
  for (const { name, secrets } of drawn) {
    for (const secret of secrets) owners.set(secret, [...(owners.get(secret) ?? []), name]);
  }
  return [...owners.values()]
    .filter((names) => names.length > 1)
    .map((names) => problem(about, `${[...new Set(names)].join(' and ')} share a secret.`, draw));
}
