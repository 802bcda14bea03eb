import type { Owner } from '../../src/plan/ownership.js';
import type { Files } from './files.js';
import { applied, continued, edited, emitted, textAt, upgradeTo } from './in-memory-project.js';

/** Two releases and what the team did in between. */
interface Story {
  from: Files;
  to: Files;
  /** Path → the team's text; undefined deletes the file. */
  edits?: Record<string, string | Buffer | undefined>;
  owners?: Record<string, Owner>;
  /** New path → the path it had first. */
  renamed?: Record<string, string>;
}

/** Emits 0.1.0, edits, upgrades to 0.2.0. */
export async function upgrade({ from, to, edits = {}, owners = {}, renamed = {} }: Story) {
  const before = edited(emitted({ version: '0.1.0', files: from, owners }), edits);
  const next = { version: '0.2.0', files: to, owners, ids: renamed };
  const plan = await upgradeTo(before, next);
  const after = applied(before, plan);
  const again = await upgradeTo(continued(after), next);
  return {
    ...plan,
    outcomes: Object.fromEntries(plan.outcomes.map(({ path, outcome }) => [path, outcome])),
    notes: plan.outcomes.flatMap(({ note }) => note ?? []),
    text: (path: string) => textAt(after, path),
    after,
    /** What a second run would write. */
    again: again.changes.map(({ path }) => path),
  };
}

/** The upgrade of one file. */
export function upgradeFile(path: string, base: string, yours: string | Buffer, theirs: string) {
  return upgrade({ from: { [path]: base }, to: { [path]: theirs }, edits: { [path]: yours } });
}

export const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

export const json = (value: object, indent: number | string = 2) =>
  `${JSON.stringify(value, null, indent)}\n`;

/** A text whose lines all differ. */
export const poem = [
  ...['roses are red', 'violets are blue'],
  ...['sugar is sweet', 'and so are you', 'the end'],
];

/** The poem with another line. */
export const withLine = (index: number, line: string) => lines(...poem.with(index, line));
