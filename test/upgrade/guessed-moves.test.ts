import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Files, readFiles, writeFiles } from '../support/files.js';
import { layer, sharedPackage } from '../support/small-package.js';
import {
  newerTemplates,
  olderTemplates,
  type UpgradableProject,
  upgradableProject,
} from '../support/upgradable.js';
import { lines, poem, upgrade } from '../support/upgrade-story.js';

const text = 'const one = 1;\nconst two = 2;\nconst three = 3;\nconst four = 4;\n';

/** A project in which somebody has renamed a file that the template changes, and changed a line of it. */
async function withRenamed(path: string, setting: { commit?: boolean } = {}) {
  const project = await upgradableProject();
  rmSync(join(project.root, 'src/lines.ts'));
  writeFiles(project.root, {
    [path]: text.replace('four = 4', 'four = 5'),
    '.gitignore': 'out/\n',
  });
  if (setting.commit) project.commitAll();
  return project;
}

describe('a file that is taken for one that was moved', () => {
  const told = 'src/verse.ts: taken for the moved src/lines.ts, 75 % alike';

  test('is reported, with its similarity', async () => {
    const { run } = await withRenamed('src/verse.ts');
    for (const flags of [['--dry-run'], []]) {
      const { exitCode, stdout } = await run(['upgrade', ...flags]);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('Taken for moved files, unless you use --no-moves (1)');
      expect(stdout).toContain(told);
    }
  });

  test('is told however many there are', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `page-${at}`);
    const older = { ...olderTemplates };
    for (const name of names)
      older[`base/files/src/${name}.ts`] = `${text}const name = '${name}';\n`;
    const { run, root } = await upgradableProject({ older, newer: { ...older } });
    for (const name of names) {
      renameSync(join(root, `src/${name}.ts`), join(root, `src/our-${name}.ts`));
    }
    const { stdout } = await run(['upgrade', '--dry-run']);
    for (const name of names) expect(stdout).toContain(`taken for the moved src/${name}.ts`);
  });

  test('is in --json', async () => {
    const { run } = await withRenamed('src/verse.ts');
    const { moves } = JSON.parse((await run(['upgrade', '--dry-run', '--json'])).stdout);
    expect(moves).toEqual([{ from: 'src/lines.ts', path: 'src/verse.ts', alike: 75 }]);
  });

  test('is not with --no-moves: the file was deleted', async () => {
    const { run, root } = await withRenamed('src/verse.ts');
    const { stdout } = await run(['upgrade', '--no-moves']);
    expect(stdout).toContain('src/lines.ts: you deleted it; the template has changed it');
    expect(stdout).not.toContain('Taken for');
    expect(readFiles(root)['src/verse.ts']).toContain('two = 2');
    expect((await run(['upgrade'])).stdout).toBe('Nothing to do.\n');
  });

  test('gets later what it missed with --no-moves: at once if it is unedited, else with the next release', async () => {
    for (const [path, version] of [
      ['src/lib/lines.ts', '99.0.0'],
      ['src/verse.ts', '100.0.0'],
    ] as const) {
      const { run, root } = await withRenamed(path);
      if (path !== 'src/verse.ts') writeFiles(root, { [path]: text });
      await run(['upgrade', '--no-moves']);
      await run(['upgrade'], { bin: sharedPackage(newerTemplates, version) });
      expect(readFiles(root)[path]).toContain('two = 22');
    }
  });

  test.each([true, false])(
    'never is what git ignores, for an upgrade as for diff; in a repository: %s',
    async (commit) => {
      const { run, root } = await withRenamed('out/lines.ts', { commit });
      expect((await run(['diff'])).stderr).toContain('1 deleted');
      const { stdout } = await run(['upgrade']);
      expect(stdout).toContain('src/lines.ts: you deleted it; the template has changed it');
      expect(readFiles(root)['out/lines.ts']).toContain('two = 2');
    },
  );

  test('may be in a folder named data, coverage or dist, unless that is at the top', async () => {
    for (const name of ['data', 'coverage', 'dist']) {
      const below = await withRenamed(`src/${name}/lines.ts`);
      await below.run(['upgrade']);
      expect(readFiles(below.root)[`src/${name}/lines.ts`]).toContain('two = 22');
      const top = await withRenamed(`${name}/lines.ts`);
      const { stdout } = await top.run(['upgrade']);
      expect(stdout).toContain('src/lines.ts: you deleted it; the template has changed it');
    }
  });

  test('never is what appears after an upgrade has reported it as deleted', async () => {
    const { run, root } = await upgradableProject();
    rmSync(join(root, 'src/lines.ts'));
    // The template drops this one; edited, it stays, and the record no longer has it.
    writeFiles(root, { 'src/old/gone.ts': text });
    const { stdout } = await run(['upgrade']);
    expect(stdout).toContain('src/lines.ts: you deleted it; the template has changed it');
    writeFiles(root, { 'src/verse.ts': text });
    for (const path of ['src/old/gone.ts', 'src/verse.ts']) {
      expect((await run(['upgrade'])).stdout).toBe('Nothing to do.\n');
      expect((await run(['diff'])).stderr).toContain('1 deleted');
      rmSync(join(root, path));
    }
  });

  test('shares 60 % of the lines, not counting braces and blanks', async () => {
    const code = (...words: string[]) =>
      lines(...words.flatMap((word) => [word, '{', '', '}', ');']));
    const story = (...own: string[]) =>
      upgrade({
        from: { 'a.ts': code(...poem) },
        to: { 'a.ts': code(...poem, 'more') },
        edits: { 'a.ts': undefined, 'b.ts': code(...own) },
      });
    const [one = '', two = '', three = '', ...others] = poem;
    expect(others).toHaveLength(2);
    expect((await story(one, two, three, 'mine', 'too')).outcomes).toHaveProperty(['b.ts']);
    expect((await story(one, two, 'mine', 'too', 'three')).outcomes).toEqual({ 'a.ts': 'deleted' });
  });

  test.each([
    ['.yml', '.yaml'],
    ['.yaml', '.yml'],
    ['.json', '.jsonc'],
    ['.jsonc', '.json'],
  ])('may have got the other extension of its format: %s, %s', async (before, after) => {
    const text = (one: number, four: number) =>
      `{\n  "one": ${one},\n  "two": 2,\n  "three": 3,\n  "four": ${four}\n}\n`;
    const story = await upgrade({
      from: { [`a${before}`]: text(1, 4) },
      to: { [`a${before}`]: text(11, 4) },
      edits: { [`a${before}`]: undefined, [`a${after}`]: text(1, 44) },
    });
    expect(story.outcomes).toEqual({ [`a${after}`]: 'merged' });
    expect(story.text(`a${after}`)).toBe(text(11, 44));
    expect(story.again).toEqual([]);
  });

  test('has no extension of another format', async () => {
    const { outcomes } = await upgrade({
      from: { 'a.ts': lines(...poem) },
      to: { 'a.ts': lines(...poem, 'more') },
      edits: { 'a.ts': undefined, 'a.js': lines(...poem.with(0, 'mine')) },
    });
    expect(outcomes).toEqual({ 'a.ts': 'deleted' });
  });

  test('is found again, once recorded, where it was: by upgrade, diff and regenerate', async () => {
    const { run, root } = await withRenamed('src/verse.ts');
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 0 });
    renameSync(join(root, 'src/verse.ts'), join(root, 'src/lines.ts'));
    expect((await run(['upgrade'])).stdout).toContain('Nothing to do.');
    const { files } = JSON.parse((await run(['diff', 'src', '--json'])).stdout);
    expect(files).toMatchObject([{ path: 'src/lines.ts', state: 'edited' }]);
    expect((await run(['regenerate', 'src'])).stdout).toContain('1 updated');
    expect(Object.keys(readFiles(root))).not.toContain('src/verse.ts');
  });

  test('may have been formatted', async () => {
    const { run, root } = await upgradableProject();
    rmSync(join(root, 'src/lines.ts'));
    const formatted = text.replaceAll(';', '').replaceAll(' = ', '=');
    writeFiles(root, { 'src/verse.ts': formatted });
    const { stdout } = await run(['upgrade']);
    expect(stdout).toContain('src/verse.ts: taken for the moved src/lines.ts, 100 % alike');
    expect(readFiles(root)['src/verse.ts']).toContain('two = 22;');
  });
});

describe('a feature whose folder somebody has deleted', () => {
  const guests = (files: Files) =>
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [`features/guests/files/${path}`, content]),
    );
  const older = {
    ...olderTemplates,
    ...guests({
      'src/features/guests/feature.ts': 'export const feature = 1;\n',
      'src/features/guests/store.ts': 'export const store = 1;\n',
      'docs/features/guests.md': '# Guests\n',
      'migrations/20260101_guests.ts': 'export const up = 1;\n',
    }),
  };
  const newer = {
    ...older,
    ...newerTemplates,
    ...layer('base', {
      title: 'Base',
      group: 'base',
      yours: ['src/app.ts'],
      renamed: { 'docs/there.md': 'docs/here.md' },
      removed: ['src/old/gone.ts'],
    }),
    'base/files/src/http/plain.ts':
      "export const plain = 2;\nexport { list } from '../features/guests/pages/list.js';\n",
    ...guests({
      'src/features/guests/feature.ts': 'export const feature = 2;\n',
      'src/features/guests/pages/list.ts': 'export const list = 1;\n',
      'migrations/20260202_guest_rooms.ts': 'export const up = 2;\n',
    }),
  };

  async function withoutFolder(): Promise<UpgradableProject> {
    const project = await upgradableProject({ older, newer });
    rmSync(join(project.root, 'src/features/guests'), { recursive: true });
    rmSync(join(project.root, 'migrations/20260101_guests.ts'));
    return project;
  }

  test('stays deleted, with all that is new of it; the report names remove', async () => {
    const { run, root } = await withoutFolder();
    const { exitCode, stdout } = await run(['upgrade']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'You have deleted guests: its new files were left out. To remove the rest of it: npx create-auth-service remove guests\n',
    );
    expect(stdout).toContain(
      'change src/http/plain.ts:2, which imports src/features/guests/pages/list.ts: it was left out\n',
    );
    const left = Object.keys(readFiles(root)).filter((path) => path.includes('guest'));
    expect(left).toEqual(['docs/features/guests.md']);
    expect((await run(['upgrade'])).stdout).toBe('Nothing to do.\n');
    const removed = await run(['remove', 'guests']);
    expect(removed).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('You have') });
    expect(Object.keys(readFiles(root)).filter((path) => path.includes('guest'))).toEqual([]);
  });

  test('is not added to what is there: add says how to get it back, and that works', async () => {
    const { run, root, bins } = await withoutFolder();
    const { exitCode, stdout } = await run(['add', 'guests'], { bin: bins.older });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'You have deleted guests. To get it back: npx create-auth-service remove guests, commit, then: npx create-auth-service add guests\nNothing to do.\n',
    );
    for (const command of ['remove', 'add']) await run([command, 'guests'], { bin: bins.older });
    expect(readFiles(root)).toHaveProperty(['src/features/guests/store.ts']);
  });

  test('that was only moved is not called deleted with --no-moves, and nothing names remove', async () => {
    const { run, root, bins } = await upgradableProject({ older, newer });
    renameSync(join(root, 'src/features/guests'), join(root, 'src/visitors'));
    const added = await run(['add', 'guests', '--no-moves'], { bin: bins.older });
    const upgraded = await run(['upgrade', '--no-moves']);
    for (const { exitCode, stdout } of [added, upgraded]) {
      expect(exitCode).toBe(0);
      expect(stdout).toContain('guests is not where it was: deleted or moved.');
      expect(stdout).not.toMatch(/You have deleted|remove guests/);
    }
  });

  test('that was only moved gets all of it', async () => {
    const { run, root } = await upgradableProject({ older, newer });
    renameSync(join(root, 'src/features/guests'), join(root, 'src/visitors'));
    const { stdout } = await run(['upgrade']);
    expect(stdout).not.toContain('You have deleted');
    expect(readFiles(root)).toHaveProperty(['src/visitors/pages/list.ts']);
    expect(readFiles(root)).toHaveProperty(['migrations/20260202_guest_rooms.ts']);
  });
});
