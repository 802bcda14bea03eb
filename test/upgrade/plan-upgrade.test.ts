import { describe, expect, test } from 'vitest';
import { edited, emitted, textAt, upgradeTo } from '../support/in-memory-project.js';
import { forged, packFile, pristineTexts } from '../support/pristine-texts.js';
import { lines, poem, upgrade, withLine } from '../support/upgrade-story.js';

describe('a file that stays where it is', () => {
  test('is the new one if nobody edited it', async () => {
    const { outcomes, text, again } = await upgrade({ from: { a: '1\n' }, to: { a: '2\n' } });
    expect(outcomes).toEqual({ a: 'updated' });
    expect(text('a')).toBe('2\n');
    expect(pristineTexts(text(packFile)).a).toBe('2\n');
    expect(again).toEqual([]);
  });

  test('stays if only the team edited it', async () => {
    const { outcomes, text } = await upgrade({
      from: { a: '1\n', b: '1\n' },
      to: { a: '1\n', b: '2\n' },
      edits: { a: 'mine\n' },
    });
    expect(outcomes).toEqual({ a: 'unchanged', b: 'updated' });
    expect(text('a')).toBe('mine\n');
  });

  test('has both edits if they are at different places', async () => {
    const { outcomes, text, pending } = await upgrade({
      from: { a: lines(...poem) },
      to: { a: withLine(4, 'not the end') },
      edits: { a: withLine(0, 'roses are white') },
    });
    expect(outcomes).toEqual({ a: 'merged' });
    expect(text('a')).toBe(lines('roses are white', ...poem.slice(1, 4), 'not the end'));
    expect(pending).toEqual([]);
  });

  test('has markers that say whose side is whose if they are at one place', async () => {
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

  test('is reported if it stays because a part of the new one has no place in it', async () => {
    const list = (...more: string[]) => lines('list:', '  - x', ...more, 'end: 1');
    const { outcomes } = await upgradeTo(
      edited(emitted({ version: '0.1.0', files: { 'a.yml': list() } }), { 'a.yml': list('  - y') }),
      { version: '0.2.0', files: { 'a.yml': list('  # said') } },
    );
    expect(outcomes).toMatchObject([{ outcome: 'kept', note: 'left out: # said' }]);
  });

  test('is never overwritten without a base: the new one lies beside', async () => {
    const made = emitted({ version: '0.1.0', files: { a: '1\n', b: 'b\n' } });
    const pack = forged(textAt(made, packFile) ?? '', 'a');
    const before = edited(made, { a: 'mine\n', [packFile]: pack });
    const plan = await upgradeTo(before, { version: '0.2.0', files: { a: '2\n', b: 'b\n' } });
    expect(plan.outcomes).toMatchObject([{ path: 'a', outcome: 'no-base' }, { path: 'b' }]);
    expect(plan.changes[0]).toMatchObject({ path: 'a.template', before: undefined });
    expect(plan.pending).toEqual(['a']);
  });

  test('gets the right to be executed, whoever edits it', async () => {
    const { after, outcomes } = await upgrade({
      from: { 'a.sh': '#! /bin/sh\nls\n', 'b.sh': 'ls\n' },
      to: { 'a.sh': 'ls\n', 'b.sh': '#! /bin/sh\nls\n' },
      edits: { 'b.sh': 'ls\nps\n' },
    });
    expect(outcomes).toEqual({ 'a.sh': 'updated', 'b.sh': 'merged' });
    expect(after.get('a.sh')?.mode).toBe(0o644);
    expect(after.get('b.sh')).toEqual({
      content: Buffer.from('#! /bin/sh\nls\nps\n'),
      mode: 0o755,
    });
  });
});

describe('a file that somebody deletes', () => {
  test('is not brought back, and it is reported if the template has changed it', async () => {
    const { outcomes, changes, pending, again } = await upgrade({
      from: { a: '1\n', b: '1\n' },
      to: { a: '2\n', b: '1\n' },
      edits: { a: undefined, b: undefined },
    });
    expect(outcomes).toEqual({ a: 'deleted', b: 'unchanged' });
    expect(changes.filter(({ path }) => !path.startsWith('.create-auth-service/'))).toEqual([]);
    expect(pending).toEqual([]);
    expect(again).toEqual([]);
  });

  test('goes if the template drops it and nobody edited it, its pristine copy too', async () => {
    const { outcomes, after, again } = await upgrade({
      from: { 'src/hole.ts': 'open();\n', b: '1\n' },
      to: { b: '1\n' },
    });
    expect(outcomes).toMatchObject({ 'src/hole.ts': 'removed' });
    expect([...after.keys()].filter((path) => path.includes('hole'))).toEqual([]);
    expect(again).toEqual([]);
  });

  test('stays if the template drops it and the team has edited it', async () => {
    const { outcomes, text, notes, pending, again } = await upgrade({
      from: { a: '1\n', b: '1\n' },
      to: { b: '1\n' },
      edits: { a: 'mine\n' },
    });
    expect(outcomes).toEqual({ a: 'kept', b: 'unchanged' });
    expect(text('a')).toBe('mine\n');
    expect(notes).toEqual([
      'the template has dropped it; you edited it, so it stays: delete it if nothing needs it',
    ]);
    expect(pending).toEqual([]);
    expect(again).toEqual([]);
  });
});

describe('a file that somebody adds', () => {
  test('is added; where the team has another one, that stays and the template lies beside', async () => {
    const { outcomes, text, pending, again } = await upgrade({
      from: { z: '\n' },
      to: { z: '\n', a: 'new\n', b: 'new\n', c: 'new\n' },
      edits: { b: 'mine\n', c: 'new\r\n' },
    });
    expect(outcomes).toEqual({ a: 'added', b: 'beside', c: 'unchanged', z: 'unchanged' });
    expect([text('a'), text('b'), text('b.template')]).toEqual(['new\n', 'mine\n', 'new\n']);
    expect(text('c')).toBe('new\r\n');
    expect(pending).toEqual(['b']);
    expect(again).toEqual([]);
  });

  test('is refused if something else already lies where the template would be put beside', async () => {
    const story = { from: {}, to: { a: 'new\n' }, edits: { a: 'mine\n', 'a.template': 'mine\n' } };
    await expect(upgrade(story)).rejects.toThrow('a.template is in the way');
  });
});

describe('what an owner decides', () => {
  test('a file of the team is never changed; the report has what the template would have', async () => {
    const owners = { 'src/app.ts': 'yours' as const };
    const before = emitted({ version: '0.1.0', files: { 'src/app.ts': '1\n' }, owners });
    const release = { version: '0.2.0', files: { 'src/app.ts': '2\n' }, owners };
    const plan = await upgradeTo(before, release);
    expect(plan.outcomes).toEqual([
      {
        id: 'src/app.ts',
        path: 'src/app.ts',
        owner: 'yours',
        outcome: 'kept',
        note: 'it is yours; the template has changed it',
        upstream: { before: Buffer.from('1\n'), now: Buffer.from('2\n') },
      },
    ]);
    expect(plan.changes.map(({ path }) => path)).not.toContain('src/app.ts');
  });

  test('migrations are added, and never changed or removed', async () => {
    const { outcomes, text } = await upgrade({
      from: { 'migrations/1.ts': '1\n', 'migrations/2.ts': '2\n' },
      to: { 'migrations/1.ts': 'other\n', 'migrations/3.ts': '3\n' },
      owners: Object.fromEntries([1, 2, 3].map((day) => [`migrations/${day}.ts`, 'frozen'])),
    });
    expect(outcomes).toEqual({
      'migrations/1.ts': 'kept',
      'migrations/2.ts': 'kept',
      'migrations/3.ts': 'added',
    });
    expect([text('migrations/1.ts'), text('migrations/2.ts')]).toEqual(['1\n', '2\n']);
  });
});

test('there is nothing to do if nothing has changed, whatever the team did', async () => {
  const files = { a: '1\n', b: '2\n', 'package.json': '{}\n' };
  const plan = await upgradeTo(
    edited(emitted({ version: '0.2.0', files }), { a: 'mine\n', b: undefined, own: 'own\n' }),
    { version: '0.2.0', files },
  );
  expect(plan).toMatchObject({ changes: [], conflicts: [], pending: [], nextSteps: [] });
});

test('the manifest is the last change, and says what the project is then', async () => {
  const { changes, text } = await upgrade({ from: { a: '1\n' }, to: { a: '2\n', b: '3\n' } });
  expect(changes.at(-1)?.path).toBe('.create-auth-service/manifest.json');
  const manifest = JSON.parse(text('.create-auth-service/manifest.json') ?? '');
  expect(manifest).toMatchObject({ version: '0.2.0', files: [{ path: 'a' }, { path: 'b' }] });
});
