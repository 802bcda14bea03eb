import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import * as z from 'zod';

/** Variables by name; an absent one is undefined. */
export type Environment = Record<string, string | undefined>;

/**
 * Adds the variables of `.env` in the working directory to the environment. Not with NODE_ENV=production
 * in the environment: there a leftover file must have no effect. A variable that is already set wins.
 */
export function loadEnvFile(environment: Environment): void {
  if (environment.NODE_ENV === 'production' || !existsSync('.env')) return;
  for (const [name, value] of Object.entries(parseEnv(readFileSync('.env', 'utf8')))) {
    environment[name] ||= value;
  }
}

/**
 * The environment with secrets read from the files that `<NAME>_FILE` names, as Docker and Kubernetes
 * provide them; a line break at the end of the file is dropped. Each problem begins with its variable.
 */
export function withSecretFiles(
  environment: Environment,
  variables: Readonly<Record<string, z.ZodType>>,
) {
  const read = { ...environment };
  const problems: string[] = [];
  for (const [name, schema] of Object.entries(variables)) {
    const path = schema.meta()?.isSecret ? environment[`${name}_FILE`] : undefined;
    if (path === undefined) continue;
    if (read[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set`);
    try {
      read[name] ??= readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      // Without the path: somebody may have put the secret itself there.
      const { code } = error as NodeJS.ErrnoException;
      problems.push(`${name}_FILE must name a file that can be read (${code})`);
    }
  }
  return { read, problems };
}

/** Marks a variable as a secret: it may come from a file. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ isSecret: true });
}

/** RFC 7518 §3.2: an HS256 key is at least as long as the hash. */
const LEAST_BYTES = 32;

/** One secret, or several separated by commas: the first signs, all verify, so that a secret can be rotated. */
export function secretList() {
  const expected = `at least ${LEAST_BYTES} random bytes (openssl rand -hex 32)`;
  return secret(
    variable(expected, (text) => {
      const secrets = entries(text);
      const isLongEnough = secrets.every((each) => Buffer.byteLength(each) >= LEAST_BYTES);
      return secrets.length > 0 && isLongEnough ? secrets : undefined;
    }),
  );
}

export function text() {
  return z.string({ error: 'is missing' });
}

/**
 * The schema of one variable: text in, the value of `read` out. If `read` returns undefined, the
 * problem says what was expected and never repeats the text, which may be a secret.
 */
export function variable<T>(expected: string, read: (text: string) => T | undefined) {
  return text().transform((value, context): T => {
    const result = read(value);
    if (result === undefined) context.addIssue(`must be ${expected}`);
    return result ?? z.NEVER;
  });
}

export function oneOf<const Word extends string>(...words: Word[]) {
  return text().pipe(z.enum(words, `must be one of ${words.join(', ')}`));
}

export function onOff() {
  return text().pipe(
    z.stringbool({ truthy: ['on'], falsy: ['off'], case: 'sensitive', error: 'must be on or off' }),
  );
}

export function wholeNumber(least: number, most: number) {
  return variable(`a whole number from ${least} to ${most}`, (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= least && number <= most ? number : undefined;
  });
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const UNIT_BYTES = { '': 1, b: 1, kb: 1_024, mb: 1_048_576 } as const;

/** A duration such as `10s` or `7d`, from `least` ms to a century, so that what it ends at is a valid date; in ms. */
export function duration(least = 1) {
  return variable('a duration such as 10s, 15m, 12h or 7d, at most 36500d', (value) => {
    const ms = measure(value, UNIT_MS) ?? Number.NaN;
    return ms >= least && ms <= 36_500 * UNIT_MS.d ? ms : undefined;
  });
}

/** A size such as `5000`, `100kb`, `1mb`; in bytes. */
export function bytes() {
  const read = (value: string) => measure(value.toLowerCase(), UNIT_BYTES) || undefined;
  return variable('a number of bytes such as 5000, 100kb or 1mb', read);
}

function measure(value: string, units: Record<string, number>): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9})([a-z]*)$/.exec(value) ?? [];
  const size = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return amount === undefined || size === undefined ? undefined : Number(amount) * size;
}

/** The entries of a comma-separated list: trimmed, without empty ones. */
export function entries(value: string): string[] {
  return value.split(',').flatMap((entry) => entry.trim() || []);
}
