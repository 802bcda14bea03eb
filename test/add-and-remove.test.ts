import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readFiles, writeFiles } from './support/files.js';
import { madeProject } from './support/made-project.js';
import { layer, templatesWithDoors } from './support/small-package.js';
import { onlyRing, small, templates, users } from './support/word-world.js';

function answersOf({ read }: { read(path: string): string }) {
  return JSON.parse(read('.create-auth-service/manifest.json')).answers;
}

describe('add', () => {
  test('adds required layers too, with their default choices', async () => {
    const project = await small();
    const { exitCode, stdout } = await project.inside(['add', 'guests', '--yes']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('word is added too: guests needs it.');
    expect(stdout).toContain('latin is added too: word needs it.');
    expect(answersOf(project)).toMatchObject({
      methods: ['word', 'ring'],
      features: ['guests'],
      wordTongues: ['latin', 'greek'],
    });
    expect(project.read('src/list.ts')).toContain("'bell','guests','ring','word'");
    expect(project.read('src/latin.ts')).toBe('export const latin = 1;\n');
  });

  test('a named choice adds its layer, and no other choice', async () => {
    const project = await small();
    await project.inside(['add', 'greek']);
    expect(answersOf(project)).toMatchObject({ methods: ['word', 'ring'], wordTongues: ['greek'] });
    expect((await project.inside(['add', 'latin'])).exitCode).toBe(0);
    expect(answersOf(project).wordTongues).toEqual(['latin', 'greek']);
  });

  test('never touches .env, and says how to add the secret that it needs, once', async () => {
    const project = await small();
    const before = project.read('.env');
    const { stdout } = await project.inside(['add', 'word']);
    const command = String.raw`printf '\nWORD_SECRET=%s\n' "$(openssl rand -hex 32)" >> .env`;
    expect(stdout.split('\n').filter((line) => line.includes('WORD_SECRET'))).toEqual([
      `  ${command}`,
    ]);
    expect(project.read('.env')).toBe(before);
    expect(project.read('.env.example')).toContain('WORD_SECRET=\n');
    for (const there of ['WORD_SECRET=drawn', 'WORD_SECRET_FILE=/run/word']) {
      await project.inside(['remove', 'word']);
      project.edit('.env', () => `${before}${there}\n`);
      expect((await project.inside(['add', 'word'])).stdout).not.toContain('openssl');
    }
  });

  test('names new files as a formatter’s work if the team has formatted others its own way', async () => {
    const project = await small();
    const step = 'run your formatter: 5 files are in the format of the template\n';
    expect((await project.inside(['add', 'word', '--dry-run'])).stdout).not.toContain('formatter');
    project.edit('src/app.ts', (text) => `${text}// ours\n`);
    expect((await project.inside(['add', 'word', '--dry-run'])).stdout).not.toContain('formatter');
    project.edit('src/bell.ts', (text) => text.replace(';', ''));
    expect((await project.inside(['add', 'word'])).stdout).toContain(step);
  });

  test('adding what is there already changes nothing', async () => {
    const project = await small();
    const { exitCode, stdout } = await project.inside(['add', 'ring']);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(stdout).toContain('Nothing to do.');
  });

  test.each([
    [[''], 'The name is empty.'],
    [['wrod'], 'There is no "wrod".\nDid you mean word?'],
    [
      ['river'],
      'A project has exactly one database.\nTo change it: npx create-auth-service change --database river',
    ],
    [['bell'], 'bell cannot be chosen by itself: it comes with ring.'],
  ])('%j is refused', async (names, message) => {
    const project = await small();
    const { exitCode, stderr } = await project.inside(['add', ...names]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });

  test('layers that exclude each other are refused as at creation', async () => {
    const project = await madeProject(templates, [...onlyRing, '--database', 'river']);
    const { exitCode, stderr } = await project.inside(['add', 'knock']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('knock and river exclude each other.');
  });

  test('a project of another version is brought up to date first', async () => {
    const project = await small();
    const version = /"version": "[^"]*"/;
    project.edit('.create-auth-service/manifest.json', (text) =>
      text.replace(version, '"version": "0.0.1"'),
    );
    await project.inside(['doctor', '--fix', '--no-run']);
    for (const command of [
      ['add', 'word'],
      ['remove', 'ring'],
      ['change', '--framework', 'rich'],
    ]) {
      const { exitCode, stderr } = await project.inside(command);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('First: npx create-auth-service upgrade');
    }
  });

  test('--dry-run writes nothing, --json is one document', async () => {
    const project = await small();
    const before = project.read('.create-auth-service/manifest.json');
    const { exitCode, stdout } = await project.inside(['add', 'guests', '--dry-run', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      title: 'Add guests',
      dryRun: true,
      notes: expect.arrayContaining(['word is added too: guests needs it.']),
      pending: [],
    });
    expect(project.read('.create-auth-service/manifest.json')).toBe(before);
  });

  test('a file of the team in the place of a new one stays, and waits for a decision', async () => {
    const project = await small();
    writeFiles(project.folder, { 'src/latin.ts': '// ours\n' });
    const { exitCode } = await project.inside(['add', 'latin']);
    expect(exitCode).toBe(2);
    expect(project.read('src/latin.ts')).toBe('// ours\n');
    expect(project.read('src/latin.ts.template')).toBe('export const latin = 1;\n');
  });
});

describe('remove', () => {
  test('removes layers that only came along, and names the tables and variables that stay', async () => {
    const project = await madeProject(templates);
    const { exitCode, stdout } = await project.inside(['remove', 'word', 'guests']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'The tables words, rhymes stay with their data. To drop it, run: npx create-auth-service remove word guests --drop-data',
    );
    expect(stdout).toContain(
      'No longer read from .env, unless your own code does: WORD_SECRET, LATIN\nKeep WORD_SECRET: stored data',
    );
    expect(answersOf(project)).not.toHaveProperty('wordTongues');
    expect(project.read('migrations/20260101_words.ts')).toBe(users);
    expect(() => project.read('src/latin.ts')).toThrow('ENOENT');
    await project.inside(['remove', 'ring']);
    expect(() => project.read('src/bell.ts')).toThrow('ENOENT');
  });

  test('and adding again finds migrations that stayed where the team has moved them', async () => {
    const text = "import { app } from '../src/app.ts';\nexport const one = app;\n";
    const project = await madeProject({
      ...templates,
      'base/files/migrations/20250101_one.ts': text,
      'base/files/migrations/20250102_two.ts': text.replace('one', 'two'),
      'features/word/files/migrations/20260101_words.ts': text.replace('one', 'words'),
      'features/word/files/migrations/20260102_word_rhymes.ts': text.replace('one', 'rhymes'),
    });
    mkdirSync(project.at('db'));
    renameSync(project.at('migrations'), project.at('db/migrations'));
    project.edit('db/migrations/20260101_words.ts', (text) => text.replace('../', '../../'));
    expect(await project.inside(['remove', 'word', 'guests'])).toMatchObject({ exitCode: 0 });
    const before = readFiles(project.at('db'));
    expect(await project.inside(['add', 'word'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readFiles(project.at('db'))).toEqual(before);
    expect(existsSync(project.at('migrations'))).toBe(false);
  });

  test('what the team has edited stays, and is named', async () => {
    const project = await madeProject(templates);
    project.edit('src/latin.ts', (text) => `${text}// ours\n`);
    const { exitCode, stdout } = await project.inside(['remove', 'latin']);
    expect(exitCode).toBe(0);
    expect(project.read('src/latin.ts')).toContain('// ours');
    expect(stdout).toContain('src/latin.ts: the template has dropped it; you edited it');
  });

  test('names imports of removed files in what the team has written', async () => {
    const project = await madeProject(templates);
    writeFiles(project.folder, { 'src/own.ts': "\nimport { latin } from './latin.js';\n" });
    const { stdout } = await project.inside(['remove', 'latin']);
    expect(stdout).toContain('change src/own.ts:2, which imports the removed src/latin.ts\n');
  });

  test.each([
    [['word'], 'guests needs word.\nRemove guests too: npx create-auth-service remove word guests'],
    [
      ['latin', 'greek'],
      'word would be left with nothing to choose from.\nRemove it as a whole: npx create-auth-service remove word',
    ],
    [
      ['plain'],
      'A project has exactly one framework.\nTo change it: npx create-auth-service change --framework rich\n',
    ],
    [
      ['word', 'knock', 'ring', 'guests'],
      'Without word, knock, ring, guests nobody could sign in: a project has at least one method.',
    ],
  ])('%j is refused, and nothing is changed', async (names, message) => {
    const project = await madeProject(templates);
    const { exitCode, stderr } = await project.inside(['remove', ...names]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect((await project.inside(['diff', '--check'])).exitCode).toBe(0);
  });
});

test('a refusal names all that must go, as a command to type', async () => {
  const kind = { group: 'feature', default: true, order: 2 };
  const about = { title: 'House rules', ...kind, requires: ['guests'] };
  const project = await madeProject({ ...templates, ...layer('features/house-rules', about) });
  const { stderr } = await project.inside(['remove', 'word']);
  expect(stderr).toBe(
    'guests needs word, house-rules needs word.\nRemove guests, house-rules too: npx create-auth-service remove word guests house-rules\n',
  );
  const typed = stderr.trim().split(' ').slice(-4);
  expect(await project.inside(typed)).toMatchObject({ exitCode: 0 });
});

describe('a choice that could never be used', () => {
  test.each([
    [
      ['remove', 'word'],
      ['--methods', 'word,ring', '--features', 'none'],
      'ring needs word or knock: a ring opens no door.\nFirst: npx create-auth-service add knock\n',
    ],
    [
      ['remove', 'word', 'knock'],
      ['--methods', 'word,knock,ring', '--features', 'house-rules'],
      'ring needs word or knock: a ring opens no door.\nKeep word or knock.\n',
    ],
    [
      ['add', 'guests'],
      ['--methods', 'knock', '--features', 'none'],
      'guests needs word: no guest could enter.\nBoth: npx create-auth-service add guests word\n',
    ],
  ])('%j is refused with the reason, and what to type instead', async (command, flags, message) => {
    const rules = { title: 'House rules', group: 'feature', order: 2, requires: ['word'] };
    const whole = { ...templatesWithDoors, ...layer('features/house-rules', rules) };
    const project = await madeProject(whole, flags);
    expect(await project.inside(command)).toMatchObject({ exitCode: 1, stderr: message });
    expect((await project.inside(['diff', '--check'])).exitCode).toBe(0);
  });
});

describe('change', () => {
  test('names variables whose value has to be another in .env', async () => {
    const waters = {
      'databases/lake/env.example': '# Where.\nWATER=file:lake\n',
      'databases/river/env.example': '# Where.\nWATER=river://\n',
    };
    const project = await madeProject({ ...templates, ...waters }, ['--methods', 'word']);
    const { stdout } = await project.inside(['change', '--database', 'river']);
    const step = 'compare .env with .env.example, which has other values now: WATER\n';
    expect(stdout).toContain(step);
    expect((await project.inside(['change', '--name', 'other'])).stdout).not.toContain('compare');
  });

  test('switches to another framework or database, and says that no data moves', async () => {
    const project = await madeProject(templates, ['--methods', 'word']);
    const { exitCode, stdout } = await project.inside(['change', '--database', 'river']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Change database to river');
    expect(stdout).toContain('No data moves');
    const changed = await project.inside([
      ...['change', '--framework', 'rich', '--package-manager', 'pnpm', '--name', 'My Auth'],
    ]);
    expect(changed.stdout).not.toContain('Delete the lock file');
    expect(changed.stdout).toContain(
      'npm allows no spaces or capital letters: the package is named my-auth.\n',
    );
    expect(changed.stdout).toContain('Next:\n  pnpm install\n');
    expect(answersOf(project)).toMatchObject({
      framework: 'rich',
      database: 'river',
      packageManager: 'pnpm',
    });
    writeFiles(project.folder, { 'pnpm-lock.yaml': '' });
    const back = await project.inside(['change', '--package-manager', 'npm']);
    expect(back.stdout).toContain(
      'Delete the lock file of the old package manager: pnpm-lock.yaml\n',
    );
  });

  test('starts the new database before what needs it', async () => {
    const river = { title: 'River', group: 'database', order: 2, nextSteps: ['start the river'] };
    const scripts = { validate: 'true' };
    const base = { title: 'Base', group: 'base', nextSteps: ['{run} dev'], yours: ['src/app.ts'] };
    const project = await madeProject(
      {
        ...templates,
        ...layer('base', base, { scripts }),
        ...layer('databases/river', river),
        'databases/river/files/src/river.ts': '',
      },
      ['--methods', 'word'],
    );
    const { stdout } = await project.inside(['change', '--database', 'river', '--dry-run']);
    expect(stdout).toContain('  start the river\n  npm run validate\n  npm run dev\n');
  });

  test('without a flag is refused', async () => {
    const project = await small();
    const { exitCode, stderr } = await project.inside(['change']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'Name what to change: --framework, --database, --package-manager or --name.',
    );
    expect((await project.inside(['change', '--framework', 'poor'])).stderr).toContain(
      '--framework: there is no "poor".',
    );
  });
});
