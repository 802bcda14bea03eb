import { z } from 'zod';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SWITCH = new Map([
  ['on', true],
  ['off', false],
]);
const UNIT_BYTES = { b: 1, kb: 1_024, mb: 1_048_576 } as const;

/**
 * The schema of one variable: text in, `read`'s value out. Where `read` returns undefined the
 * problem says what was expected and never repeats the text, which may be a secret.
 */
export function variable<T>(expected: string, read: (text: string) => T | undefined) {
  return z.string({ error: 'is missing' }).transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `must be ${expected}` });
    return z.NEVER;
  });
}

/** Any text. */
export function text() {
  return variable('text', (value) => value);
}

/** One of some words. */
export function oneOf<const Word extends string>(...words: Word[]) {
  return variable(`one of ${words.join(', ')}`, (value) => words.find((word) => word === value));
}

/** `on` is true, `off` is false. */
export function onOff() {
  return variable('on or off', (value) => SWITCH.get(value));
}

/** A whole number from `least` to `most`. */
export function wholeNumber(least: number, most: number) {
  return variable(`a whole number from ${least} to ${most}`, (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= least && number <= most ? number : undefined;
  });
}

/** A length of time such as `10s`, `15m`, `12h`, `7d`, at least `least` ms; in ms. */
export function duration(least = 1) {
  return variable('a duration such as 10s, 15m, 12h or 7d', (value) => {
    const ms = measure(value, UNIT_MS);
    return ms !== undefined && ms >= least ? ms : undefined;
  });
}

/** A size such as `5000`, `100kb`, `1mb`; in bytes. */
export function bytes() {
  return variable('a number of bytes such as 5000, 100kb or 1mb', (value) =>
    measure(/^\d+$/.test(value) ? `${value}b` : value.toLowerCase(), UNIT_BYTES),
  );
}

/** The entries of a comma list, without blanks around them and without empty ones. */
export function entries(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function measure(value: string, units: Record<string, number>): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9})([a-z]+)$/.exec(value) ?? [];
  const size = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return amount === undefined || size === undefined ? undefined : Number(amount) * size;
}
