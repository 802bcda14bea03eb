import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { generatorVersion } from '../src/package-root.js';
import { cleanEnv, ended, scratchFolder } from './support/cli.js';
import { readFiles, writeFiles } from './support/files.js';
import { git } from './support/git.js';
import { smallTemplates } from './support/small-package.js';
import { smallWorld } from './support/small-world.js';

/** An environment in which `npm`, or another program, is this script. */
function withNpm(script: string, name = 'npm'): Record<string, string> {
  const folder = scratchFolder();
  writeFiles(folder, { [name]: `#!/bin/sh\n${script}\n` });
  chmodSync(join(folder, name), 0o755);
  return { PATH: `${folder}${delimiter}${cleanEnv().PATH}` };
}

/** An environment in which git knows only these settings. */
function withGit(settings: string): Record<string, string> {
  const folder = scratchFolder();
  writeFiles(folder, { gitconfig: settings });
  return { GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'), GIT_CONFIG_NOSYSTEM: '1', HOME: folder };
}

const me = '[user]\n name = Me\n email = me@example.com\n';

describe.skipIf(process.platform === 'win32')('the installation', () => {
  test('runs in the project, before the first commit', async () => {
    const { cwd, run } = smallWorld();
    const env = { ...withGit(me), ...withNpm('echo "$@" > arguments.txt') };
    const { exitCode, stdout } = await run(['made', '--yes'], { env });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Installing with npm …');
    expect(stdout).not.toContain('  npm install');
    expect(git(join(cwd, 'made'), 'show', 'HEAD:arguments.txt')).toBe('install');
  });

  test('a failure keeps the project, says what npm said and what to type, and exits 1', async () => {
    const { cwd, run } = smallWorld();
    const env = withNpm('echo "E404 no such thing" >&2; exit 7');
    const { exitCode, stdout, stderr } = await run(['made', '--yes', '--no-git'], { env });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('E404 no such thing');
    expect(stdout).toContain('Next:\n  cd made\n  npm install\n');
    expect(existsSync(join(cwd, 'made/src/app.ts'))).toBe(true);
  });

  test('a failure says with --quiet, too, what to type', async () => {
    const { run } = smallWorld();
    const env = withNpm('echo "E404 no such thing" >&2; exit 7');
    const quietly = await run(['made', '--yes', '--no-git', '--quiet'], { env });
    expect(quietly).toMatchObject({ exitCode: 1, stdout: '' });
    expect(quietly.stderr).toMatch(/^E404 .*\n {2}cd made\n {2}npm install\n/s);
  });

  test('a missing package manager is reported', async () => {
    const { run } = smallWorld();
    const args = ['made', '--yes', '--no-git', '--package-manager', 'bun'];
    const { exitCode, stderr } = await run(args, { env: { PATH: scratchFolder() } });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('bun is not installed. Install it with: npm install --global bun@1\n');
  });

  test('an interruption keeps the project, says what to type and exits 130', async () => {
    const { cwd, start } = smallWorld();
    const child = start(['made', '--yes', '--no-git'], {
      env: withNpm('touch started; exec sleep 60'),
    });
    const end = ended(child);
    while (!existsSync(join(cwd, 'made/started'))) await wait(5);
    child.kill('SIGINT');
    const { exitCode, stderr } = await end;
    expect(exitCode).toBe(130);
    expect(stderr).toContain('The project is there, its dependencies are not.');
    expect(stderr).toContain('  cd made\n  npm install\n');
  });
});

describe('git', () => {
  const args = ['made', '--yes', '--no-install'];

  test('has one commit of everything but .env', async () => {
    const { cwd, run } = smallWorld();
    await run(args, { env: withGit(me) });
    const made = join(cwd, 'made');
    expect(git(made, 'log', '--format=%an %s')).toBe(
      `Me Create the service with create-auth-service ${generatorVersion()}`,
    );
    expect(git(made, 'status', '--porcelain')).toBe('');
    const committed = git(made, 'ls-files').split('\n');
    expect(committed).toContain('.create-auth-service/base.pack');
    expect(Object.keys(readFiles(made)).filter((path) => !committed.includes(path))).toEqual([
      '.env',
    ]);
  });

  test('of a folder that was not empty, has the project and its lock file alone', async () => {
    const { cwd, run } = smallWorld();
    const made = join(cwd, 'made');
    writeFiles(made, { id_rsa: 'private\n', 'notes/plan.md': 'mine\n' });
    const env = { ...withGit(me), ...withNpm('touch package-lock.json') };
    const { exitCode, stdout } = await run(['made', '--yes', '--force'], { env });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Only files of the project were committed');
    expect(git(made, 'status', '--porcelain')).toBe('?? id_rsa\n?? notes/');
    expect(git(made, 'ls-files')).toContain('package-lock.json');
  });

  test('takes in what only this machine ignores, but never .env', async () => {
    const { cwd, run } = smallWorld();
    const home = scratchFolder();
    writeFiles(home, { ignored: 'list.ts\n*.pack\n.env\n' });
    const env = withGit(`${me}[core]\n excludesFile = ${home}/ignored\n`);
    await run(args, { env });
    const committed = git(join(cwd, 'made'), 'ls-files').split('\n');
    expect(committed).toContain('src/list.ts');
    expect(committed).toContain('.create-auth-service/base.pack');
    expect(committed).not.toContain('.env');
  });

  test('runs no hooks, signs nothing and inherits no repository', async () => {
    const { cwd, run } = smallWorld();
    const hooks = scratchFolder();
    writeFiles(hooks, { 'pre-commit': `#!/bin/sh\ntouch ${hooks}/ran\nexit 1\n` });
    chmodSync(join(hooks, 'pre-commit'), 0o755);
    const settings = `${me}[core]\n hooksPath = ${hooks}\n[commit]\n gpgSign = true\n`;
    const env = { ...withGit(settings), GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index' };
    expect(await run(args, { env })).toMatchObject({ exitCode: 0 });
    expect(git(join(cwd, 'made'), 'rev-list', '--count', 'HEAD')).toBe('1');
    expect(existsSync(join(hooks, 'ran'))).toBe(false);
  });

  test('is committed where git refuses to change line ends', async () => {
    const { cwd, run } = smallWorld();
    const settings = `${me}[core]\n autocrlf = true\n safecrlf = true\n`;
    expect(await run(args, { env: withGit(settings) })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(git(join(cwd, 'made'), 'rev-list', '--count', 'HEAD')).toBe('1');
  });

  test('is left alone inside another repository, whose workflows are elsewhere', async () => {
    const workflow = { 'base/files/.github/workflows/ci.yml': 'name: CI\n' };
    const { cwd, run } = smallWorld({ ...smallTemplates, ...workflow });
    git(cwd, 'init', '--quiet');
    const { stdout } = await run(args, { env: withGit(me) });
    expect(stdout).toContain('This folder is already in a git repository: no new one was created.');
    expect(stdout).toContain('copy .github/workflows there');
    expect(existsSync(join(cwd, 'made/.git'))).toBe(false);
    expect(git(cwd, 'status', '--porcelain')).toBe('?? made/');
  });

  test('a repository without a commit is used', async () => {
    const { cwd, run } = smallWorld();
    const made = join(cwd, 'made');
    mkdirSync(made);
    git(made, 'init', '--quiet');
    expect(await run(args, { env: withGit(me) })).toMatchObject({ exitCode: 0 });
    expect(git(made, 'rev-list', '--count', 'HEAD')).toBe('1');
  });

  test('without a name everything is there but the commit', async () => {
    const { cwd, run } = smallWorld();
    const env = withGit('[user]\n useConfigOnly = true\n');
    const { exitCode, stdout } = await run(args, { env });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('git could not commit');
    expect(stdout).toContain('Next:\n  cd made\n  git add --all && git commit -m "');
    expect(git(join(cwd, 'made'), 'diff', '--cached', '--name-only')).toContain('src/app.ts');
    const quietly = await run(['quiet', ...args.slice(1), '--quiet'], { env });
    expect(quietly).toMatchObject({ exitCode: 0, stdout: '' });
    expect(quietly.stderr).toMatch(/^git could not commit: .*\n {2}cd quiet\n {2}git add --all /s);
  });

  test.skipIf(process.platform === 'win32').each([
    [
      '',
      args,
      'commit --quiet',
      /^ {2}cd made\n {2}git add --all && git commit -m ".*"\n {2}npm install\n/m,
    ],
    [
      ' also among other files',
      [...args, '--force'],
      'add --force',
      /^ {2}cd made\n {2}git add the files of the project, not what was here before; then git commit -m ".*"\n/m,
    ],
  ])('an interrupted commit%s says what to type, and where', async (_, typed, call, said) => {
    const { cwd, start } = smallWorld();
    if (typed.includes('--force')) writeFiles(cwd, { 'made/notes.txt': 'private\n' });
    const stop = `case "$*" in *"${call}"*) touch started; exec sleep 60;; esac`;
    const script = `${stop}\nPATH='${cleanEnv().PATH}'\nexec git "$@"`;
    const child = start(typed, { env: withNpm(script, 'git') });
    const end = ended(child);
    while (!existsSync(join(cwd, 'made/started'))) await wait(5);
    child.kill('SIGINT');
    const { exitCode, stderr } = await end;
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(said);
  });

  test('is not needed', async () => {
    const { cwd, run } = smallWorld();
    const { exitCode, stdout } = await run(args, { env: { PATH: scratchFolder() } });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('git is not installed');
    expect(existsSync(join(cwd, 'made/src/app.ts'))).toBe(true);
  });
});
