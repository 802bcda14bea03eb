import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { nearest } from '../nearest.js';
import { packPath, readPack, textIn } from '../plan/base-pack.js';
import { type EnvVariable, variablesOf } from '../plan/env-example.js';
import type { ManifestFile } from '../plan/manifest.js';
import type { Project } from '../project/open-project.js';
import { readAnyFile, statsOf } from '../project/read-file.js';
import { secretCommand } from '../project/secrets.js';
import { typedPath } from '../quoting.js';
import type { Examined } from './check-project.js';
import { type Finding, findingsOrOk, note, ok, problem } from './finding.js';

/** `.env` and what `.env.example` says about it. */
export interface DotEnv {
  /** Undefined if there is no file, for example where the environment comes from whoever runs the service. */
  values: NodeJS.Dict<string> | undefined;
  /** Why it is not read although something is there: the end of a sentence. */
  obstacle?: string | undefined;
  mode: number;
  /** Where `.env.example` is; undefined if the team has deleted it. */
  example: string | undefined;
  /** The variables that it names or, if it is deleted, its pristine text. */
  variables: EnvVariable[];
}

/** @param files of the project, with where the team has moved them; none if there is no project yet */
export function readDotEnv({ root }: Pick<Project, 'root'>, files: ManifestFile[] = []): DotEnv {
  // Some teams link it to another place to keep secrets out of a folder: such a link is not followed.
  const file = readAnyFile(root, '.env');
  const { movedTo = '.env.example', sha256 = '' } =
    files.find(({ path }) => path === '.env.example') ?? {};
  const example = readAnyFile(root, movedTo)?.content;
  const text = example ?? textIn(readPack(readAnyFile(root, packPath)?.content), sha256) ?? '';
  return {
    values: file && parseEnv(file.content.toString()),
    obstacle: file ? undefined : obstacleAt(join(root, '.env')),
    mode: file?.mode ?? 0,
    example: example && movedTo,
    variables: eachOnce(variablesOf(text.toString().replaceAll('\r\n', '\n'))),
  };
}

/** A team may have written a variable that a template brings, too. */
function eachOnce(variables: EnvVariable[]): EnvVariable[] {
  const secrets = variables.flatMap(({ name, isSecret }) => (isSecret ? [name] : []));
  const names = [...new Set(variables.map(({ name }) => name))];
  return names.map((name) => ({ name, isSecret: secrets.includes(name) }));
}

const isLink = 'is a symbolic link, which is not read here';

function obstacleAt(path: string): string | undefined {
  const stats = statsOf(path);
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) return isLink;
  return stats.isDirectory() ? 'is a folder' : 'cannot be read';
}

const about = 'secrets';
const draw = 'Generate another: openssl rand -hex 32';

/** Checks the secrets in `.env` that `.env.example` asks for. No value is ever printed. */
export function checkSecrets({ dotEnv }: Examined): Finding[] {
  const { values, mode } = dotEnv;
  const names = secretsOf(dotEnv);
  if (!values) return [withoutFile(names, dotEnv)];
  const drawn = names.map((name) => ({ name, secrets: secretsIn(values[name]) }));
  const findings = [
    ...modeFindings(mode),
    ...drawn.filter(({ secrets }) => secrets.length === 0).map(({ name }) => missing(name, values)),
    ...drawn.flatMap(({ name, secrets }) => weakFindings(name, secrets)),
    ...equalFindings(drawn),
  ];
  return findingsOrOk(findings, about, `${names.length} in .env, all different.`);
}

/** The secrets that `.env` has to have: no file is named for them. */
function secretsOf({ values, variables }: DotEnv): string[] {
  return variables
    .filter(({ name, isSecret }) => isSecret && !values?.[`${name}_FILE`])
    .map(({ name }) => name);
}

function withoutFile(names: string[], { obstacle, example }: DotEnv): Finding {
  const found = obstacle === undefined ? 'There is no .env' : `.env ${obstacle}`;
  const missingNames = names.filter((name) => !process.env[name] && !process.env[`${name}_FILE`]);
  if (missingNames.length === 0) return ok(about, `${found}; the environment has them.`);
  if (obstacle === isLink) {
    const remedy = 'To have them checked, put the file itself there.';
    return note(about, `${found}: its secrets were not checked.`, remedy);
  }
  const message = `${found}, and the environment has no ${missingNames.join(', ')}.`;
  // What is there may be all that somebody has: never copy over it.
  if (obstacle !== undefined)
    return problem(about, message, 'Put a file that you can read in its place.');
  const copy = example
    ? `cp ${typedPath(example)} .env`
    : 'npx create-auth-service regenerate .env.example && cp .env.example .env';
  return problem(
    about,
    message,
    `${copy} && chmod 600 .env, then fill in what is marked "secret": openssl rand -hex 32`,
  );
}

/** Several secrets with commas between them are a rotation: the first signs, all verify. */
export function secretsIn(value = ''): string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function modeFindings(mode: number): Finding[] {
  const isPrivate = (mode & 0o077) === 0 || process.platform === 'win32';
  if (isPrivate) return [];
  const message = `.env can be read by other users of this machine (mode ${mode.toString(8)}).`;
  return [problem(about, message, 'chmod 600 .env, or: npx create-auth-service doctor --fix')];
}

function missing(name: string, values: object): Finding {
  if (process.env[name] || process.env[`${name}_FILE`]) {
    const remedy = 'Set it wherever the service runs. Its value there is not checked.';
    return note(about, `${name} is set by the environment, not in .env.`, remedy);
  }
  if (name in values) return problem(about, `${name} is empty in .env.`, draw);
  return problem(about, `${name} is missing from .env.`, secretCommand(name));
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

// RFC 7518, 3.2: an HS256 key is at least as long as the hash.
const leastBytes = 32;
// Once in ten million times, 32 random hex digits have fewer than 8 different ones.
const leastDifferentCharacters = 8;
// Words of examples that people copy. Random hex or base64 contains none of them.
const exampleWords =
  /change|example|secret|passw|placeholder|replace|your[-_]|default|qwert|01234567|abcdefg/i;

// What people write where they do not have a value yet.
const placeholder =
  /^(change[-_ ]?(me|it|this)|your[-_ ].*|<.*>|x{3,}|placeholder|insert[-_ ].*|\.{3})$/i;

/** Why the secret could be guessed, as the end of a sentence; undefined if it could not. */
function weakness(secret: string): string | undefined {
  if (placeholder.test(secret)) return 'it is a placeholder';
  if (Buffer.byteLength(secret) < leastBytes) return `it has fewer than ${leastBytes} bytes`;
  if (exampleWords.test(secret)) return 'it looks like an example';
  if (new Set(secret).size < leastDifferentCharacters) return 'it has too few different characters';
  return isRepetition(secret) ? 'it repeats itself' : undefined;
}

/** Only a repetition occurs in its own double at a shifted position. */
function isRepetition(text: string): boolean {
  return (text + text).indexOf(text, 1) < text.length;
}

/** Finds values in `.env` that were never filled in, and names that nothing reads, especially mistyped ones. */
export function checkVariables(examined: Examined): Finding[] {
  const { values, variables, example = 'the emitted .env.example' } = examined.dotEnv;
  if (!values) return [];
  const findings = [
    ...placeholders(values, secretsOf(examined.dotEnv)),
    ...unknownNames(values, variables, example),
  ];
  return findingsOrOk(findings, 'variables', `All in .env are in ${example}.`);
}

/**
 * No value is printed: it may be half of a secret.
 * @param secrets are reported by their own check
 */
function placeholders(values: NodeJS.Dict<string>, secrets: string[]): Finding[] {
  return Object.entries(values)
    .filter(([name, value = '']) => !secrets.includes(name) && placeholder.test(value.trim()))
    .map(([name]) => {
      const message = `${name} in .env holds a placeholder.`;
      return problem('variables', message, 'Fill it in, or leave it empty.');
    });
}

function unknownNames(values: object, variables: EnvVariable[], example: string): Finding[] {
  const known = variables.map(({ name }) => name);
  // A secret may come from a file, named by its variable with `_FILE`.
  const unknown = Object.keys(values).filter(
    (name) => !known.includes(name) && !known.includes(name.replace(/_FILE$/, '')),
  );
  const unset = known.filter((name) => !(name in values)).map((name) => name.toLowerCase());
  return unknown.map((name) => {
    const like = nearest(name.toLowerCase(), unset);
    const hint = like ? ` Did you mean ${like.toUpperCase()}?` : '';
    const message = `${name} is in .env, but not in ${example}.${hint}`;
    return note('variables', message, 'Correct or delete it, unless your own code reads it.');
  });
}
