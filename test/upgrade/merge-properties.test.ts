import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Data, isEqual, isRecord } from '../../src/upgrade/merge/by-key.js';
import { mergeList } from '../../src/upgrade/merge/merge-list.js';
import { markedLines, mergeByDiff3, type Region } from '../../src/upgrade/merge/regions.js';
import { cleanEnv, scratchFolder } from '../support/cli.js';
import { json, upgradeFile } from '../support/upgrade-story.js';

type Merge = (base: string[], yours: string[], theirs: string[]) => Region[];

const labels = { from: '0.1.0', to: '0.2.0' };
const diff3: Merge = mergeByDiff3;
const list: Merge = (base, yours, theirs) => mergeList(base, yours, theirs, false);
const sortedList: Merge = (base, yours, theirs) => mergeList(base, yours, theirs, true);
const merges: [string, Merge][] = [
  ['text', diff3],
  ['lists', list],
  ['sorted lists', sortedList],
];

// Few different lines, so that blank lines and brackets repeat as they do in code.
const line: fc.Arbitrary<string> = fc.constantFrom(
  '',
  '{',
  '}',
  'a',
  'b',
  'c',
  'd,',
  'e,',
  '__proto__',
  '=======',
);
const text = fc.array(line, { maxLength: 12 });

/** A text and an edited version: lines removed, changed and added in places. */
const edits = (lines: string[]) =>
  fc
    .array(fc.tuple(fc.nat(lines.length), fc.nat(2), fc.array(line, { maxLength: 2 })), {
      maxLength: 3,
    })
    .map((changes) => {
      const edited = [...lines];
      for (const [at, removed, added] of changes) edited.splice(at, removed, ...added);
      return edited;
    });
const threeTexts = text.chain((base) => fc.tuple(fc.constant(base), edits(base), edits(base)));

const linesOf = (regions: Region[]) => markedLines(regions, labels);

/** Lines of one side that are nowhere in the result, although the other side has not removed any like them. */
function lostOf(side: string[], result: string[], base: string[], other: string[]): string[] {
  const count = (text: string[], wanted: string) => text.filter((each) => each === wanted).length;
  return side.filter((each) => !result.includes(each) && count(other, each) >= count(base, each));
}

describe.each(merges)('merging %s', (_, merge) => {
  test('what only one side changed, or both the same, is taken over', () => {
    fc.assert(
      fc.property(threeTexts, ([base, one]) => {
        expect(linesOf(merge(base, one, base))).toEqual(one);
        expect(linesOf(merge(base, base, one))).toEqual(one);
        expect(linesOf(merge(base, one, one))).toEqual(one);
      }),
      { numRuns: 500 },
    );
  });

  test('no line of the team disappears, but those of the base that the template has no more', () => {
    fc.assert(
      fc.property(threeTexts, ([base, yours, theirs]) => {
        const result = linesOf(merge(base, yours, theirs));
        expect(lostOf(yours, result, base, theirs)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test('no line of the template is left out, but those of the base that the team has no more', () => {
    fc.assert(
      fc.property(threeTexts, ([base, yours, theirs]) => {
        const result = linesOf(merge(base, yours, theirs));
        expect(lostOf(theirs, result, base, yours)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

test('text merges as git does, markers included', () => {
  const folder = scratchFolder();
  const write = (name: string, lines: string[]) =>
    writeFileSync(join(folder, name), lines.map((each) => `${each}\n`).join(''));
  const git = (): string => {
    const names = ['yours', 'create-auth-service 0.1.0', 'create-auth-service 0.2.0'];
    const args = [
      'merge-file',
      '-p',
      '--zdiff3',
      ...names.flatMap((name) => ['-L', name]),
      'u',
      'o',
      't',
    ];
    const options = { cwd: folder, encoding: 'utf8', env: cleanEnv(), stdio: 'pipe' } as const;
    try {
      return execFileSync('git', args, options);
    } catch (error) {
      // Its exit code is the number of conflicts, which is easily mistaken for a failure.
      return error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    }
  };
  // Of lines that repeat there are several longest common subsequences, and either choice is right.
  const unique = fc.uniqueArray(fc.integer({ min: 0, max: 40 }).map(String), { maxLength: 9 });
  const changed = (base: string[], mark: string) =>
    fc
      .tuple(fc.subarray(base), fc.array(fc.tuple(fc.nat(9), fc.nat(3)), { maxLength: 3 }))
      .map(([kept, added]) => {
        const lines = [...kept];
        for (const [at, text] of added)
          lines.splice(at, 0, `${text < 2 ? mark : 'same'}${text}-${at}`);
        return lines;
      });
  const three = unique.chain((base) =>
    fc.tuple(fc.constant(base), changed(base, 'mine'), changed(base, 'new')),
  );
  fc.assert(
    fc.property(three, ([base, yours, theirs]) => {
      write('o', base);
      write('u', yours);
      write('t', theirs);
      const regions = diff3(base, yours, theirs);
      const ours = linesOf(regions)
        .map((each) => `${each}\n`)
        .join('');
      expect(ours).toBe(git());
    }),
    { numRuns: 150 },
  );
});

describe('merging data by key', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'constructor');
  const value = fc.oneof(
    fc.constantFrom(1, 2, 'x', 'y', true, null),
    fc.array(fc.constantFrom('p', 'q', 'r'), { maxLength: 3 }),
  );
  const record = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value, { maxKeys: 3 })), {
    maxKeys: 4,
  });
  const paths = ['a.json', 'a.yaml'] as const;

  test('no value of the team disappears, but those of the base that the template has no more', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        record,
        record,
        record,
        async (path, base, yours, theirs) => {
          const { text } = await upgradeFile(path, json(base), json(yours), json(theirs));
          const merged = parsed(text(path) ?? '');
          for (const [name, mine] of Object.entries(yours)) {
            const [was, now, is] = [base[name], theirs[name], merged[name]].map(
              (each) => each as Data,
            );
            const isMine =
              isEqual(was, now) || (!isEqual(was, mine) && !isRecord(mine) && !Array.isArray(mine));
            if (isMine) expect(is).toEqual(mine);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  function parsed(text: string): Record<string, unknown> {
    return parse(text) as Record<string, unknown>;
  }
});
