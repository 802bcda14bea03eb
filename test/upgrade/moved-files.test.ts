import { describe, expect, test } from 'vitest';
import { applied, edited, emitted, textAt, upgradeTo } from '../support/in-memory-project.js';
import { packFile, pristineTexts } from '../support/pristine-texts.js';
import { lines, poem, upgrade, withLine } from '../support/upgrade-story.js';

const verse = lines(...poem);

describe('a file that the template moves', () => {
  test('takes the edits along, known by its id and not by its looks', async () => {
    const { outcomes, after, text, again } = await upgrade({
      from: { 'src/old.ts': verse },
      to: { 'src/new.ts': withLine(4, 'not the end') },
      renamed: { 'src/new.ts': 'src/old.ts' },
      edits: { 'src/old.ts': withLine(0, 'roses are white') },
    });
    expect(outcomes).toEqual({ 'src/new.ts': 'moved' });
    expect(text('src/new.ts')).toBe(lines('roses are white', ...poem.slice(1, 4), 'not the end'));
    expect(after.has('src/old.ts')).toBe(false);
    expect(Object.keys(pristineTexts(text(packFile)))).toEqual(['src/new.ts']);
    expect(again).toEqual([]);
  });

  test('stays where the team has a file of its own at the new place', async () => {
    const { outcomes, text, pending, again } = await upgrade({
      from: { 'src/old.ts': verse },
      to: { 'src/new.ts': verse },
      renamed: { 'src/new.ts': 'src/old.ts' },
      edits: { 'src/new.ts': 'mine\n' },
    });
    expect(outcomes).toEqual({ 'src/new.ts': 'beside' });
    expect([text('src/old.ts'), text('src/new.ts'), text('src/new.ts.template')]).toEqual([
      verse,
      'mine\n',
      verse,
    ]);
    expect(pending).toEqual(['src/new.ts']);
    expect(again).toEqual([]);
  });

  test('lies beside such a file with imports of what they have moved from where that is', async () => {
    const clock = 'export const now = 0;\n';
    const old = lines("import { now } from './clock.js';", ...poem);
    const { text } = await upgrade({
      from: { 'src/old.ts': old, 'src/clock.ts': clock },
      to: { 'src/new.ts': old, 'src/clock.ts': clock },
      renamed: { 'src/new.ts': 'src/old.ts' },
      edits: { 'src/new.ts': 'mine\n', 'src/clock.ts': undefined, 'src/lib/clock.ts': clock },
    });
    expect(text('src/new.ts.template')).toBe(old.replace('./clock', './lib/clock'));
  });

  test('only goes from its old place if it is at the new one already', async () => {
    const { outcomes, after, pending } = await upgrade({
      from: { 'src/old.ts': verse },
      to: { 'src/new.ts': withLine(4, 'not the end') },
      renamed: { 'src/new.ts': 'src/old.ts' },
      // Git does not undo what it does not track: after `git reset --hard` the new file is still there.
      edits: { 'src/new.ts': withLine(4, 'not the end') },
    });
    expect(outcomes).toEqual({ 'src/new.ts': 'moved' });
    expect(after.has('src/old.ts')).toBe(false);
    expect(pending).toEqual([]);
  });
});

describe('a file that the team moves', () => {
  test('gets the changes where it is now, whatever became of it', async () => {
    const { outcomes, text, again } = await upgrade({
      from: { 'src/a.ts': verse, 'src/b.ts': lines('only', 'b') },
      to: { 'src/a.ts': withLine(4, 'not the end'), 'src/b.ts': lines('only', 'B') },
      edits: {
        'src/a.ts': undefined,
        'lib/verse.ts': withLine(0, 'roses are white'),
        'src/b.ts': undefined,
        'lib/b.ts': lines('only', 'b'),
      },
    });
    expect(outcomes).toEqual({ 'lib/b.ts': 'updated', 'lib/verse.ts': 'merged' });
    expect(text('lib/verse.ts')).toBe(lines('roses are white', ...poem.slice(1, 4), 'not the end'));
    expect(text('lib/b.ts')).toBe(lines('only', 'B'));
    expect(again).toEqual([]);
  });

  test('is the one in the same folder, if there are two', async () => {
    const { outcomes } = await upgrade({
      from: { 'src/b/a.ts': verse },
      to: { 'src/b/a.ts': withLine(4, 'not the end') },
      edits: { 'src/b/a.ts': undefined, 'copy.ts': verse, 'src/b/z.ts': verse },
    });
    expect(outcomes).toEqual({ 'src/b/z.ts': 'updated' });
  });

  test('is remembered: the next upgrade finds it although nothing is similar any more', async () => {
    const first = { version: '0.1.0', files: { 'a.ts': verse } };
    const moved = edited(emitted(first), { 'a.ts': undefined, 'b.ts': verse });
    const second = { version: '0.2.0', files: { 'a.ts': withLine(4, 'END') } };
    const after = applied(moved, await upgradeTo(moved, second));
    const rewritten = edited(after, { 'b.ts': lines('all', 'is', 'new', 'END') });
    const third = await upgradeTo(rewritten, { version: '0.3.0', files: { 'a.ts': lines('x') } });
    expect(third.outcomes).toMatchObject([{ path: 'b.ts', outcome: 'conflict' }]);
  });

  test('takes new files of its folder along if the whole folder moved', async () => {
    const files = { 'src/mail/a.ts': lines('a', 'a'), 'src/mail/b.ts': lines('b', 'b') };
    const { outcomes } = await upgrade({
      from: { ...files, 'src/c.ts': '\n' },
      to: { ...files, 'src/c.ts': '\n', 'src/mail/parts/new.ts': 'new\n' },
      edits: {
        'src/mail/a.ts': undefined,
        'src/mail/b.ts': undefined,
        'src/post/a.ts': lines('a', 'a'),
        'src/post/b.ts': lines('b', 'b'),
      },
    });
    expect(outcomes).toMatchObject({
      'src/post/parts/new.ts': 'added',
      'src/post/a.ts': 'unchanged',
    });
  });

  test('takes along a new folder if the folder around it moved, which has only folders', async () => {
    const files = { 'src/features/a/one.ts': lines('a', 'a'), 'src/features/b/two.ts': lines('b') };
    const { outcomes } = await upgrade({
      from: { ...files, 'src/c.ts': '\n' },
      to: { ...files, 'src/c.ts': '\n', 'src/features/c/new.ts': 'new\n' },
      edits: {
        'src/features/a/one.ts': undefined,
        'src/features/b/two.ts': undefined,
        'src/modules/a/one.ts': lines('a', 'a'),
        'src/modules/b/two.ts': lines('b'),
      },
    });
    expect(outcomes).toMatchObject({ 'src/modules/c/new.ts': 'added' });
  });
});

test('a file that was not there during an upgrade gets what it missed once it is back', async () => {
  const first = { version: '0.1.0', files: { 'a.ts': verse } };
  const second = { version: '0.2.0', files: { 'a.ts': withLine(0, 'roses are safe') } };
  const third = {
    version: '0.3.0',
    files: { 'a.ts': lines('roses are safe', ...poem.slice(1, 4), 'END') },
  };
  const deleted = edited(emitted(first), { 'a.ts': undefined });
  const reported = applied(deleted, await upgradeTo(deleted, second));
  expect((await upgradeTo(reported, second)).changes).toEqual([]);
  const mine = withLine(2, 'sugar is mine');
  for (const release of [second, third]) {
    const back = edited(reported, { 'a.ts': mine });
    const after = applied(back, await upgradeTo(back, release));
    expect(textAt(after, 'a.ts')).toBe(
      release.files['a.ts'].replace('sugar is sweet', 'sugar is mine'),
    );
    expect((await upgradeTo(after, release)).changes).toEqual([]);
  }
});

describe('a path that the template gives to a file', () => {
  test('may be where the team has moved that file: it gets the changes there', async () => {
    const { outcomes, text, moves, again } = await upgrade({
      from: { 'src/old.ts': verse },
      to: { 'src/new.ts': withLine(4, 'not the end') },
      renamed: { 'src/new.ts': 'src/old.ts' },
      edits: { 'src/old.ts': undefined, 'src/new.ts': withLine(0, 'roses are white') },
    });
    expect(outcomes).toEqual({ 'src/new.ts': 'merged' });
    expect(text('src/new.ts')).toBe(lines('roses are white', ...poem.slice(1, 4), 'not the end'));
    expect(moves).toEqual([{ from: 'src/old.ts', path: 'src/new.ts', alike: 80 }]);
    expect(again).toEqual([]);
  });

  test('may be a file of the team, who has deleted that one: what the template has lies beside it', async () => {
    const { outcomes, text, pending } = await upgrade({
      from: { 'src/old.ts': verse },
      to: { 'src/new.ts': verse },
      renamed: { 'src/new.ts': 'src/old.ts' },
      edits: { 'src/old.ts': undefined, 'src/new.ts': 'mine\n' },
    });
    expect(outcomes).toEqual({ 'src/new.ts': 'beside' });
    expect([text('src/new.ts'), text('src/new.ts.template')]).toEqual(['mine\n', verse]);
    expect(pending).toEqual(['src/new.ts']);
  });

  test('may be where the team has moved another one: that one gets its changes', async () => {
    const { outcomes, text, pending } = await upgrade({
      from: { 'src/old.ts': verse },
      to: { 'src/old.ts': withLine(4, 'not the end'), 'src/new.ts': 'new\n' },
      edits: { 'src/old.ts': undefined, 'src/new.ts': verse },
    });
    expect(outcomes).toMatchObject({ 'src/new.ts': 'beside' });
    expect(text('src/new.ts')).toBe(withLine(4, 'not the end'));
    expect(text('src/new.ts.template')).toBe('new\n');
    expect(pending).toEqual(['src/new.ts']);
  });
});

test('a file that went with its folder is moved within that', async () => {
  const [a, b] = [lines('a', 'a'), lines('b', 'b')];
  const { outcomes, again } = await upgrade({
    from: { 'src/mail/a.ts': a, 'src/mail/b.ts': b },
    to: { 'src/mail/a.ts': a, 'src/mail/c.ts': b },
    renamed: { 'src/mail/c.ts': 'src/mail/b.ts' },
    edits: {
      'src/mail/a.ts': undefined,
      'src/mail/b.ts': undefined,
      'src/post/a.ts': a,
      'src/post/b.ts': b,
    },
  });
  expect(outcomes).toEqual({ 'src/post/a.ts': 'unchanged', 'src/post/c.ts': 'moved' });
  expect(again).toEqual([]);
});

test('a folder that both have renamed stays where the team has it', async () => {
  const [a, b] = [lines('a', 'a'), lines('b', 'b')];
  const { outcomes, notes, pending, again } = await upgrade({
    from: { 'src/mail/a.ts': a, 'src/mail/b.ts': b },
    to: { 'src/letters/a.ts': a, 'src/letters/b.ts': lines('b', 'b', 'c') },
    renamed: { 'src/letters/a.ts': 'src/mail/a.ts', 'src/letters/b.ts': 'src/mail/b.ts' },
    edits: {
      'src/mail/a.ts': undefined,
      'src/mail/b.ts': undefined,
      'src/post/a.ts': a,
      'src/post/b.ts': b,
    },
  });
  expect(outcomes).toEqual({ 'src/post/a.ts': 'kept', 'src/post/b.ts': 'updated' });
  expect(notes).toEqual(
    ['a', 'b'].map(
      (name) => `the template has moved it to src/letters/${name}.ts; it stays where you have it`,
    ),
  );
  expect(pending).toEqual([]);
  expect(again).toEqual([]);
});

test('a file that both have renamed stays where the team has it, reported once, and nothing conflicts', async () => {
  const importer = (from: string, ...more: string[]) =>
    lines(`import { now } from '${from}';`, '', 'export const a = now;', '', ...more);
  const names = ['one', 'two', 'three', 'four', 'five'].map((name) => `src/${name}.ts`);
  const all = (from: string, ...more: string[]) =>
    Object.fromEntries(names.map((name) => [name, importer(from, ...more)]));
  const clock = lines('export const now = 0;', 'export const later = 1;', 'export const ever = 2;');
  const story = await upgrade({
    from: { ...all('./clock.js'), 'src/clock.ts': clock },
    to: { ...all('./process/clock.js', 'export const b = 1;'), 'src/process/clock.ts': clock },
    renamed: { 'src/process/clock.ts': 'src/clock.ts' },
    edits: { ...all('./time.js'), 'src/clock.ts': undefined, 'src/time.ts': clock },
  });
  expect(story.outcomes).toEqual({
    ...Object.fromEntries(names.map((name) => [name, 'updated'])),
    'src/time.ts': 'kept',
  });
  expect(story.notes).toEqual([
    'the template has moved it to src/process/clock.ts; it stays where you have it',
  ]);
  expect(story.text('src/one.ts')).toBe(importer('./time.js', 'export const b = 1;'));
  expect(story.pending).toEqual([]);
  expect(story.nextSteps).toEqual([]);
  expect(story.again).toEqual([]);
});
