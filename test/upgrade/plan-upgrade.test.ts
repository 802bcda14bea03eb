import { describe, expect, test } from 'vitest';
import type { Owner } from '../../src/plan/ownership.js';
import type { Files } from '../support/files.js';
import {
  applied,
  continued,
  edited,
  emitted,
  textAt,
  upgradeTo,
} from '../support/in-memory-project.js';

type Edits = Record<string, string | Buffer | undefined>;

interface Story {
  from: Files;
  to: Files;
  edits?: Edits;
  owners?: Record<string, Owner>;
  ids?: Record<string, string>;
}

/** Emits, edits, upgrades. */
async function upgrade({ from, to, edits = {}, owners, ids }: Story) {
  const release = { ...(owners && { owners }) };
  const before = edited(emitted({ version: '0.1.0', files: from, ...release }), edits);
  const next = { version: '0.2.0', files: to, ...release, ...(ids && { ids }) };
  const plan = await upgradeTo(before, next);
  const after = applied(before, plan);
  const again = await upgradeTo(continued(after), next);
  const outcomes = Object.fromEntries(plan.outcomes.map(({ path, outcome }) => [path, outcome]));
  return {
    ...plan,
    outcomes,
    notes: plan.outcomes.flatMap(({ note }) => note ?? []),
    text: (path: string) => textAt(after, path),
    /** What a second run would write. */
    again: again.changes.map(({ path }) => path),
  };
}

const lines = (...all: string[]) => `${all.join('\n')}\n`;
const poem = ['roses are red', 'violets are blue', 'sugar is sweet', 'and so are you', 'the end'];
const withLine = (index: number, line: string) => lines(...poem.with(index, line));

describe('a text', () => {
  test('that nobody edited is the new one', async () => {
    const { outcomes, text, again } = await upgrade({
      from: { a: lines('1') },
      to: { a: lines('2') },
    });
    expect(outcomes).toEqual({ a: 'updated' });
    expect(text('a')).toBe('2\n');
    expect(again).toEqual([]);
  });

  test('that only the team edited stays', async () => {
    const same = { a: lines('1'), b: lines('1') };
    const { outcomes, text } = await upgrade({
      from: same,
      to: { ...same, b: lines('2') },
      edits: { a: 'mine\n' },
    });
    expect(outcomes).toEqual({ a: 'unchanged', b: 'updated' });
    expect(text('a')).toBe('mine\n');
  });

  test('that both edited at different places has both edits', async () => {
    const { outcomes, text, pending } = await upgrade({
      from: { a: lines(...poem) },
      to: { a: withLine(4, 'not the end') },
      edits: { a: withLine(0, 'roses are white') },
    });
    expect(outcomes).toEqual({ a: 'merged' });
    expect(text('a')).toBe(lines('roses are white', ...poem.slice(1, 4), 'not the end'));
    expect(pending).toEqual([]);
  });

  test('that both edited at one place has markers that say whose side is whose', async () => {
    const { outcomes, text, pending, conflicts, again } = await upgrade({
      from: { a: lines(...poem) },
      to: { a: withLine(2, 'sugar is brown') },
      edits: { a: withLine(2, 'sugar is dear') },
    });
    expect(outcomes).toEqual({ a: 'conflict' });
    expect(text('a')).toBe(
      lines(
        ...poem.slice(0, 2),
        '<<<<<<< yours',
        'sugar is dear',
        '||||||| create-auth-service 0.1.0',
        'sugar is sweet',
        '=======',
        'sugar is brown',
        '>>>>>>> create-auth-service 0.2.0',
        ...poem.slice(3),
      ),
    );
    expect(pending).toEqual(['a']);
    expect(conflicts.map(({ base, yours, theirs }) => [base, yours, theirs].join(''))).toEqual([
      lines(...poem) + withLine(2, 'sugar is dear') + withLine(2, 'sugar is brown'),
    ]);
    expect(again).toEqual([]);
  });
});
