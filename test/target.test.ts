import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeProgram } from '../scripts/node-versions.js';
import { ended } from './support/cli.js';
import { readFiles, writeFiles } from './support/files.js';
import { templatesWithTwoSecrets } from './support/small-package.js';
import { smallWorld } from './support/small-world.js';

describe('the target', () => {
  test.each([
    'con',
    'AUX.txt',
    'aux.',
    'a:b',
    'what?',
    'x'.repeat(215),
    '.hidden',
    './-v',
    'node_modules',
    'müller',
  ])('a folder named %s is refused', async (name) => {
    const { cwd, create } = smallWorld();
    const { exitCode, stderr } = await create([name]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`The folder name ${JSON.stringify(basename(name))}`);
    expect(readFiles(cwd)).toEqual({});
  });

  test.each([
    [[''], 'The name of the directory is empty.\nName one, or . for this folder.'],
    [
      ['my', 'auth'],
      "Too many arguments for 'create'. Expected 1 argument but got 2.\nA path with",
    ],
  ])('%j is refused with what helps', async (args, message) => {
    const { cwd, create } = smallWorld();
    const { exitCode, stderr } = await create(args);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(readFiles(cwd)).toEqual({});
  });

  test.each([
    [['regenerate']],
    [['regenerate', 'src']],
    [['upgrade']],
    [['diff']],
    [['doctor']],
    [['add', 'word']],
    [['remove', 'word']],
    [['change', '--name', 'other']],
  ])('%j outside a project is refused with where it belongs', async (command) => {
    const { cwd, run } = smallWorld();
    const { exitCode, stderr } = await run(command);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(`No project here: neither ${cwd}`),
    ]);
    expect(stderr).toContain('Run this in a project');
  });

  test('blanks and capitals only change the name of the package, and it says so', async () => {
    const { cwd, create } = smallWorld();
    const remark = 'npm allows no spaces or capital letters: the package is named my-auth.';
    const dryRun = ['My Auth', '--dry-run'];
    expect((await create(dryRun)).stdout).toContain(`${remark}\n`);
    expect(JSON.parse((await create([...dryRun, '--json'])).stdout).remarks).toEqual([remark]);
    const { stdout } = await create(['My Auth']);
    expect(stdout.split(remark)).toHaveLength(2);
    expect(stdout).toContain('cd "My Auth"');
    expect(JSON.parse(readFiles(join(cwd, 'My Auth'))['package.json'] ?? '')).toMatchObject({
      name: 'my-auth',
    });
    const scoped = await create(['scoped', '--name', '@Acme/My Auth']);
    expect(scoped.stdout).toContain('the package is named @acme/my-auth');
  });

  test('a scope belongs to the package, not to the folder', async () => {
    const { cwd, create } = smallWorld();
    await create(['--name', '@acme/auth']);
    const files = readFiles(join(cwd, 'auth'));
    expect(JSON.parse(files['package.json'] ?? '')).toMatchObject({ name: '@acme/auth' });
  });

  test('folders above it are made', async () => {
    const { cwd, create } = smallWorld();
    await create(['services/here/made']);
    expect(Object.keys(readFiles(join(cwd, 'services/here/made')))).toContain('src/app.ts');
  });

  test('the current folder is taken if it is empty', async () => {
    const { cwd, create } = smallWorld();
    mkdirSync(join(cwd, 'made'));
    const { exitCode, stdout } = await create(['.'], { cwd: join(cwd, 'made') });
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('cd ');
    expect(JSON.parse(readFiles(cwd)['made/package.json'] ?? '')).toMatchObject({ name: 'made' });
    expect(Object.keys(readFiles(cwd)).filter((path) => !path.startsWith('made/'))).toEqual([]);
  });

  test('one whose name npm refuses needs --name', async () => {
    const { cwd, create } = smallWorld();
    const folder = join(cwd, 'Übung 1');
    mkdirSync(folder);
    expect(await create(['.'], { cwd: folder })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Choose another with --name.'),
    });
    expect(await create(['.', '--name', 'one'], { cwd: folder })).toMatchObject({ exitCode: 0 });
  });

  test('one that is longer than the system allows is refused, naming the limit', async () => {
    const { create } = smallWorld();
    expect(await create(['a'.repeat(300)])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is longer than 214 characters.'),
    });
  });

  test('a lone .git is not in the way', async () => {
    const { cwd, create } = smallWorld();
    mkdirSync(join(cwd, 'made/.git'), { recursive: true });
    expect(await create(['made'])).toMatchObject({ exitCode: 0 });
  });

  test('files in the way are named, and nothing is changed', async () => {
    const { cwd, create } = smallWorld();
    const theirs = { 'made/notes.txt': 'mine', 'made/src/app.ts': 'mine, too' };
    writeFiles(cwd, theirs);
    const { exitCode, stderr } = await create(['made']);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'made is not empty:\n  notes.txt\n  src\n' +
        'Choose another folder, or --force to replace files of the same names.\n',
    );
    expect(readFiles(cwd)).toEqual(theirs);
  });

  test('a project is not made over another one', async () => {
    const { create } = smallWorld();
    await create(['made']);
    const { exitCode, stderr } = await create(['made']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('It contains a project made by create-auth-service.');
  });

  test('--force lists and replaces the files of the project, and keeps all others and .env', async () => {
    const { cwd, create } = smallWorld();
    writeFiles(join(cwd, 'made'), {
      '.env': 'SECRET=mine',
      'notes.txt': 'mine',
      'src/app.ts': 'mine, too',
      'src/mine.ts': 'mine as well',
    });
    const { exitCode, stdout } = await create(['made', '--force']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Replaced:\n  src/app.ts\n');
    expect(stdout).toContain('\n.env was kept.\n');
    expect(readFiles(join(cwd, 'made'))).toMatchObject({
      '.env': 'SECRET=mine',
      'notes.txt': 'mine',
      'src/app.ts': 'export const app = 1;\n',
      'src/mine.ts': 'mine as well',
    });
    expect(Object.keys(readFiles(cwd)).filter((path) => !path.startsWith('made/'))).toEqual([]);
  });

  test('--force says which secrets the kept .env lacks, as a next step too', async () => {
    const { cwd, create } = smallWorld(templatesWithTwoSecrets);
    const theirs = { '.env': 'SECRET=mine\nWORD_SECRET=\n', 'src/app.ts': 'mine' };
    writeFiles(join(cwd, 'made'), theirs);
    const planned = await create(['made', '--force', '--dry-run']);
    expect(planned.stdout).toContain('\n.env was kept; it lacks WORD_SECRET.\n');
    const { stdout } = await create(['made', '--force', '--json']);
    expect(JSON.parse(stdout).nextSteps).toContain(
      String.raw`printf '\nWORD_SECRET=%s\n' "$(openssl rand -hex 32)" >> .env`,
    );
  });

  test('--force with --dry-run lists what would be replaced, and no .env that is there', async () => {
    const { cwd, create } = smallWorld();
    const theirs = { '.env': 'SECRET=mine', 'src/app.ts': 'mine' };
    writeFiles(join(cwd, 'made'), theirs);
    const { stdout } = await create(['made', '--force', '--dry-run']);
    expect(stdout).toContain('\nWould be replaced:\n  src/app.ts\n');
    expect(stdout).not.toMatch(/^ *\.env$/m);
    const { stdout: document } = await create(['made', '--force', '--dry-run', '--json']);
    expect(JSON.parse(document).replaced).toEqual(['src/app.ts']);
    expect(readFiles(join(cwd, 'made'))).toEqual(theirs);
  });

  test('--force does not replace a folder by a file', async () => {
    const { cwd, create } = smallWorld();
    writeFiles(join(cwd, 'made'), { 'src/app.ts/mine.ts': 'mine' });
    const { exitCode, stderr } = await create(['made', '--force']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('src/app.ts is a folder.');
  });

  test('a symbolic link is refused, as the target and on the way', async () => {
    const { cwd, create } = smallWorld();
    mkdirSync(join(cwd, 'elsewhere'));
    symlinkSync('elsewhere', join(cwd, 'shortcut'));
    for (const directory of ['shortcut', 'shortcut/made']) {
      const { exitCode, stderr } = await create([directory]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('is a symbolic link');
    }
  });

  test('--force refuses a symbolic link inside it', async () => {
    const { cwd, create } = smallWorld();
    mkdirSync(join(cwd, 'made'));
    mkdirSync(join(cwd, 'elsewhere'));
    symlinkSync('../elsewhere', join(cwd, 'made/src'));
    const { exitCode, stderr } = await create(['made', '--force']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('src is a symbolic link');
    expect(readFiles(join(cwd, 'elsewhere'))).toEqual({});
  });

  test('a file in its place is refused', async () => {
    const { cwd, create } = smallWorld();
    writeFiles(cwd, { made: 'a file' });
    for (const directory of ['made', 'made/below', '/dev/null/below']) {
      const { exitCode, stderr } = await create([directory]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('is a file, not a folder');
    }
  });

  // On Node 20 a recursive mkdir never returns from there.
  const programs = [process.execPath, nodeProgram(20)].filter(existsSync);
  test
    .skipIf(process.platform !== 'linux')
    .each(
      ['/proc/made', '/proc/folder/made'].flatMap((path) => programs.map((node) => [path, node])),
    )('%s, where nobody can make a folder, is refused by %s', async (path, node) => {
    const child = smallWorld().start([path, '--yes', '--no-install', '--no-git'], { node });
    onTestFinished(() => void child.kill('SIGKILL'));
    const { exitCode, stderr } = await ended(child);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/ in \/proc\. .*another place/s)]);
  });
});
