import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Files, writeFiles } from './support/files.js';
import { madeProject } from './support/made-project.js';
import { keys, openScreen } from './support/pty.js';
import { layer } from './support/small-package.js';
import { templates, users } from './support/word-world.js';

const named = /^migrations\/\d{8}_(drop|restore)_/;

function added(stdout: string): string[] {
  const { files } = JSON.parse(stdout);
  return files.map(({ path }: { path: string }) => path).filter((path: string) => named.test(path));
}

describe('remove --drop-data', () => {
  const drop = ['remove', 'word', 'guests', '--drop-data'];

  test('asks for confirmation before it plans to drop data', async () => {
    const project = await madeProject(templates);
    const { exitCode, stderr } = await project.inside(drop);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'A migration would drop words, rhymes, with all data in them.\nConfirm with --yes.\n',
    );
    expect((await project.inside([...drop, '--dry-run'])).exitCode).toBe(0);
    expect((await project.inside(['diff', '--check'])).exitCode).toBe(0);
  });

  test.skipIf(process.platform === 'win32')('asks on a terminal; Enter alone says no', async () => {
    const { folder, bin } = await madeProject(templates);
    const no = openScreen(drop, { cwd: folder, bin });
    await no.type('Go on?', '\r');
    expect(await no.exitCode).toBe(130);
    expect(no.text()).not.toContain('Shift+Tab');
    const left = openScreen(drop, { cwd: folder, bin });
    await left.type('Go on?', keys.end);
    expect(await left.exitCode).toBe(130);
    expect(left.text()).toContain('Cancelled. Nothing was written.');
    const yes = openScreen(drop, { cwd: folder, bin });
    await yes.type('Go on?', keys.down, keys.enter);
    expect(await yes.exitCode).toBe(0);
  });

  test('adds a migration that reverts theirs, latest first, in both directions', async () => {
    const project = await madeProject(templates);
    const [path = ''] = added((await project.inside([...drop, '--yes', '--json'])).stdout);
    expect(project.read(path)).toBe(`import type { Kysely } from 'kysely';
import * as words from './20260101_words.js';
import * as wordRhymes from './20260102_word_rhymes.js';

/** Drops words, rhymes, with all data in them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await wordRhymes.down(db);
  await words.down(db);
}

/** Creates the tables again, without the data. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await words.up(db);
  await wordRhymes.up(db);
}
`);
  });

  test('can be used later; add creates the dropped tables again, any number of times', async () => {
    const project = await madeProject(templates);
    const run = async (...args: string[]) =>
      added((await project.inside([...args, '--json'])).stdout);
    expect(await run('remove', 'word', 'guests')).toEqual([]);
    const [dropped = ''] = await run(...drop, '--yes');
    expect(await run(...drop, '--yes')).toEqual([]);
    for (const path of [dropped, 'migrations/20260101_words.ts']) {
      project.edit(path, (text) => text.replaceAll("'", '"'));
    }
    const { pending } = JSON.parse(
      (await project.inside(['add', 'word', '--dry-run', '--json'])).stdout,
    );
    expect(pending).toEqual([]);
    const [restored = ''] = await run('add', 'word');
    expect(restored > dropped).toBe(true);
    expect(project.read(restored)).toContain('await wordRhymes.up(db);');
    expect(await run('remove', 'word')).toEqual([]);
    expect(await run('add', 'word')).toEqual([]);
    const [again = ''] = await run('remove', 'word', '--drop-data', '--yes');
    expect(again > restored).toBe(true);
  });

  test('is undone by a migration that is named after what it restores', async () => {
    const project = await madeProject(templates);
    await project.inside(['remove', 'word', 'guests', 'house-rules', '--drop-data', '--yes']);
    const { stdout } = await project.inside(['add', 'house-rules', 'word', '--json']);
    expect(added(stdout)).toEqual([expect.stringMatching(/\d_restore_word\.ts$/)]);
  });

  test('gives it a name that MySQL can use for a table while it runs', async () => {
    const name = 'a-feature-whose-name-is-rather-long';
    const about = { title: 'Long', group: 'feature', default: true, order: 3 };
    const project = await madeProject({
      ...templates,
      ...layer(`features/${name}`, about),
      [`features/${name}/files/migrations/20260203_long.ts`]: users.replace('words', 'longs'),
    });
    const args = ['remove', name, 'word', 'guests', '--drop-data', '--yes', '--json'];
    const [path = ''] = added((await project.inside(args)).stdout);
    expect(`unfinished_${basename(path, '.ts')}`.length).toBeLessThanOrEqual(64);
  });

  test('finds what was removed before in a folder that the team has moved', async () => {
    const project = await madeProject({
      ...templates,
      'base/files/migrations/20250101_one.ts': users.replace('words', 'ones'),
    });
    await project.inside(['remove', 'word', 'guests']);
    mkdirSync(project.at('db'));
    renameSync(project.at('migrations'), project.at('db/migrations'));
    const { stdout } = await project.inside([...drop, '--yes']);
    expect(stdout).not.toContain('is not there');
    expect(stdout).toMatch(/db\/migrations\/\d{8}_drop_word_guests\.ts: drops words, rhymes/);
  });

  test('is refused if no date comes after the last migration of the team', async () => {
    const project = await madeProject(templates);
    for (const day of ['99991231', '99999999']) {
      writeFiles(project.folder, { [`migrations/${day}_ours.ts`]: 'ours\n' });
      const { exitCode, stderr } = await project.inside([...drop, '--yes']);
      expect(stderr).toContain(`No migration can come after that of ${day}.`);
      expect(exitCode).toBe(1);
      rmSync(project.at(`migrations/${day}_ours.ts`));
    }
    expect((await project.inside(['diff', '--check'])).exitCode).toBe(0);
  });

  test('follows a migration that the team has renamed', async () => {
    const project = await madeProject(templates);
    renameSync(
      project.at('migrations/20260102_word_rhymes.ts'),
      project.at('migrations/20260103-our_rhymes.ts'),
    );
    const { stdout } = await project.inside([...drop, '--yes', '--json']);
    const [path = ''] = added(stdout);
    expect(project.read(path)).toContain("import * as ourRhymes from './20260103-our_rhymes.js';");
    expect(project.read(path)).toContain('await ourRhymes.down(db);\n  await words.down(db);');
    expect(stdout).not.toContain('is not there');
  });

  test('sorts behind every migration of the team', async () => {
    const project = await madeProject(templates);
    writeFiles(project.folder, { 'migrations/29991231_ours.ts': 'ours\n' });
    const [path] = added((await project.inside([...drop, '--yes', '--json'])).stdout);
    expect(path).toBe('migrations/30000101_drop_word_guests.ts');
  });

  test('leaves out and names a migration that the team has deleted', async () => {
    const project = await madeProject(templates);
    rmSync(project.at('migrations/20260102_word_rhymes.ts'));
    const { stdout } = await project.inside([...drop, '--yes', '--json']);
    expect(project.read(added(stdout)[0] ?? '')).not.toContain('rhymes');
    expect(JSON.parse(stdout).notes).toContain(
      'migrations/20260102_word_rhymes.ts is not there: its tables stay in every database that has run it.',
    );
  });
});

describe('tables that others refer to', () => {
  const table = (name: string, key = '') =>
    `export async function up() { await db.schema.createTable('${name}')${key}.execute(); }\n`;
  const toInks = ".addForeignKeyConstraint('its_ink', ['ink_id'], 'inks', ['id'])";

  /** A feature whose table refers to that of `ink`, which comes with it. */
  const withInk = (name: string, order: number, key: string): Files => ({
    ...layer(`features/${name}`, { title: name, group: 'feature', order, requires: ['ink'] }),
    [`features/${name}/files/migrations/20260202_${name}.ts`]: table(name, key),
  });

  const shared = {
    ...templates,
    ...layer('features/ink', { title: 'Ink', group: 'internal' }),
    'features/ink/files/migrations/20260201_ink.ts': table('inks'),
    ...withInk('letters', 3, toInks),
    ...withInk('stamps', 4, ".addColumn('ink_id', 'text', (c) => c.references('inks.id'))"),
    ...withInk('labels', 5, ''),
  };
  const stays = (table: string, names: string) =>
    `inks stays: foreign keys of ${table} refer to it. To drop them too, run: npx create-auth-service remove ${names} --drop-data`;

  async function projectWith(...features: string[]) {
    const answers = ['--methods', 'word', '--features', features.join()];
    const project = await madeProject(shared, answers);
    const remove = async (...args: string[]) => {
      const { stdout } = await project.inside(['remove', ...args, '--yes', '--json']);
      const text = added(stdout).map(project.read).join();
      const dropped = [...text.matchAll(/await (\w+)\.down/g)].map(([, name]) => name);
      return { dropped, notes: JSON.parse(stdout).notes };
    };
    return { ...project, remove };
  }

  test.each([
    ['letters', 'stamps'],
    ['stamps', 'letters'],
  ])(
    'stay with those of %s, which was removed before, and go with the last of them',
    async (one, other) => {
      const { remove } = await projectWith(one, other);
      await remove(one);
      const both = `${one} ${other}`;
      expect((await remove(other)).notes).toEqual([
        `The table ${other} stays with its data. To drop it, run: npx create-auth-service remove ${other} --drop-data`,
        stays(one, both),
      ]);
      const { dropped, notes } = await remove(other, '--drop-data');
      expect({ dropped, notes }).toEqual({ dropped: [other], notes: [stays(one, both)] });
      expect((await remove(...both.split(' '), '--drop-data')).dropped).toEqual([one, 'ink']);
    },
  );

  test('stay with those of the team', async () => {
    const { remove, folder } = await projectWith('letters');
    writeFiles(folder, { 'migrations/20260203_ours.ts': table('ours', toInks) });
    const { dropped, notes } = await remove('letters', '--drop-data');
    expect({ dropped, notes }).toEqual({
      dropped: ['letters'],
      notes: ['inks stays: foreign keys of ours refer to it.'],
    });
  });

  test('go although a layer that came with them has tables of its own', async () => {
    const { remove } = await projectWith('letters', 'labels');
    await remove('labels');
    expect((await remove('letters', '--drop-data')).dropped).toEqual(['letters', 'ink']);
  });
});
