import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFiles } from './support/files.js';
import {
  layer,
  smallTemplates,
  templatesWithDoors,
  templatesWithTongues,
} from './support/small-package.js';
import { smallWorld } from './support/small-world.js';

describe('a choice that allows no sign-in', () => {
  const quietly = ['--yes', '--no-install', '--no-git'];

  test.each([
    [
      ['--methods', 'ring'],
      'ring needs word or knock: a ring opens no door.\nAdd word or knock to --methods, or',
    ],
    [
      ['--methods', 'knock', '--features', 'guests'],
      'guests needs word: no guest could enter.\nAdd word to --methods, or leave out guests.',
    ],
  ])('%j is refused with the reason, and nothing is written', async (flags, message) => {
    const { cwd, run } = smallWorld(templatesWithDoors);
    const { exitCode, stderr } = await run(['made', ...flags, ...quietly]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(readFiles(cwd)).toEqual({});
  });

  test('is left out, and reported, where it was only a default', async () => {
    const { cwd, run } = smallWorld(templatesWithDoors);
    const { exitCode, stdout } = await run(['made', '--methods', 'knock', ...quietly]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('guests is left out: no guest could enter.');
    const manifest = readFiles(cwd)['made/.create-auth-service/manifest.json'] ?? '{}';
    expect(JSON.parse(manifest).answers).toMatchObject({ features: ['house-rules'] });
  });

  test('a default database that does not fit a chosen method gives way to the next', async () => {
    const { run } = smallWorld({
      ...smallTemplates,
      ...layer('features/knock', { title: 'Knock', group: 'method', conflicts: ['lake'] }),
    });
    const chosen = ['made', '--methods', 'knock', '--dry-run', '--json', ...quietly];
    const { stdout } = await run(chosen);
    expect(JSON.parse(stdout).answers).toMatchObject({ database: 'river' });
    expect(JSON.parse(stdout).remarks).toContain(
      'lake is left out: it cannot be combined with knock.',
    );
  });
});

describe('the question of a layer', () => {
  const dryly = ['made', '--yes', '--dry-run', '--json', '--features', 'none'];

  async function ask(...args: string[]) {
    const { stdout, stderr, exitCode } = await smallWorld(templatesWithTongues).run([
      ...dryly,
      ...args,
    ]);
    return exitCode === 0 ? JSON.parse(stdout) : { refused: stderr };
  }

  test('is answered with all of its choices by default', async () => {
    const { answers, files } = await ask();
    expect(answers).toMatchObject({ wordTongues: ['latin', 'greek'] });
    expect(files).toEqual(expect.arrayContaining(['src/latin.ts', 'src/greek.ts']));
  });

  test('brings only what was chosen', async () => {
    const { cwd, create } = smallWorld(templatesWithTongues);
    await create(['made', '--features', 'none', '--word-tongues', 'latin']);
    const files = readFiles(join(cwd, 'made'));
    expect(files['src/tongues.ts']).toBe("export const tongues = ['latin',];\n");
    expect(files['.env.example']).toContain('LATIN=');
    expect(Object.keys(files).join()).not.toContain('greek');
  });

  test('is no question without the layer, and leaves nothing in the answers', async () => {
    const { answers } = await ask('--methods', 'knock');
    expect(answers).not.toHaveProperty('wordTongues');
  });

  test('the manifest’s answers make the same project again', async () => {
    const { answers } = await ask('--word-tongues', 'greek');
    const again = await smallWorld(templatesWithTongues).run(
      ['--config', '-', '--dry-run', '--json'],
      {
        input: JSON.stringify(answers),
      },
    );
    expect(JSON.parse(again.stdout).answers).toEqual(answers);
  });

  test.each([
    [['--methods', 'knock', '--word-tongues', 'latin'], 'Tongues: word is not chosen.'],
    [['--word-tongues', 'latine'], 'Did you mean latin?'],
    [['--word-tongues', 'none'], '--word-tongues: choose at least one.'],
  ])('%j is refused', async (args, message) => {
    expect((await ask(...args)).refused).toContain(message);
  });

  test('is named among the open answers without a terminal', async () => {
    const open = ['made', '--methods', 'word', '--features', 'none'];
    const { stderr, exitCode } = await smallWorld(templatesWithTongues).run(open);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('--word-tongues')]);
  });
});
