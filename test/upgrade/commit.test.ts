import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatorVersion } from '../../src/package-root.js';
import { readFiles, writeFiles } from '../support/files.js';
import { git } from '../support/git.js';
import {
  committedProject,
  conflictingProject,
  resolved,
  upgradableProject,
} from '../support/upgradable.js';

describe('--commit', () => {
  test('commits what was changed, removed files included, and nothing else', async () => {
    const { run, root } = await committedProject();
    writeFiles(root, { 'notes.txt': 'mine\n' });
    expect(await run(['upgrade', '--commit'])).toMatchObject({ exitCode: 0 });
    expect(git(root, 'status', '--porcelain')).toBe('?? notes.txt');
    expect(git(root, 'log', '-1', '--format=%s')).toBe(
      `Upgrade from ${generatorVersion()} to 99.0.0`,
    );
    expect(git(root, 'ls-files', 'src/old', 'docs/here.md')).toBe('');
  });

  test('with --continue commits removals that somebody has staged', async () => {
    const { run, root } = await conflictingProject();
    await run(['upgrade']);
    writeFiles(root, resolved);
    git(root, 'add', '--all');
    expect(await run(['upgrade', '--continue', '--commit'])).toMatchObject({ exitCode: 0 });
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(root, 'ls-tree', '-r', '--name-only', 'HEAD')).not.toContain('src/old');
  });

  test('with --continue leaves out what was staged and is gone', async () => {
    const { run, root } = await committedProject({ 'src/fresh/deep/new.ts': 'mine\n' });
    await run(['upgrade', '--commit']);
    git(root, 'add', '.');
    rmSync(join(root, 'src/fresh/deep/new.ts.template'));
    const { exitCode, stderr } = await run(['upgrade', '--continue', '--commit']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(root, 'show', 'HEAD:src/fresh/deep/new.ts')).toBe('mine');
  });

  test('leaves out what git ignores', async () => {
    const { run, root } = await committedProject({
      '.gitignore': '.env\nnode_modules\n.create-auth-service/\nsrc/fresh/\n',
    });
    expect(await run(['upgrade', '--commit'])).toMatchObject({ exitCode: 0 });
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(root, 'ls-files', 'src')).not.toContain('src/fresh');
    expect(git(root, 'show', 'HEAD:src/lines.ts')).toContain('two = 22;');
  });

  test('of nothing but ignored files says so, and takes in nothing else', async () => {
    const { root, bins, run } = await committedProject({
      '.gitignore': '.env\nnode_modules\nsrc/list.ts\n',
    });
    rmSync(join(root, 'src/list.ts'));
    writeFiles(root, { 'notes.txt': 'mine\n' });
    const { exitCode, stderr } = await run(['regenerate', 'src/list.ts', '--commit'], {
      bin: bins.older,
    });
    expect(stderr).toBe('Git ignores all that was written: nothing was committed.\n');
    expect(exitCode).toBe(1);
    expect(git(root, 'status', '--porcelain')).toBe('?? notes.txt');
  });

  test('takes in what only this machine ignores', async () => {
    const { run, root } = await committedProject();
    writeFiles(root, { '.git/info/exclude': 'new.ts\n*.pack\n' });
    expect(await run(['upgrade', '--commit'])).toMatchObject({ exitCode: 0 });
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(root, 'ls-files', 'src/fresh')).toBe('src/fresh/deep/new.ts');
  });

  test('that fails names its paths where more is staged, and where nothing is', async () => {
    const { run, root } = await conflictingProject();
    await run(['upgrade']);
    writeFiles(root, { ...resolved, 'notes.txt': 'mine\n' });
    git(root, 'add', 'notes.txt');
    writeFiles(root, { '.git/refs/heads/main.lock': '' });
    const staged = await run(['upgrade', '--continue', '--commit']);
    expect(staged.stderr).toMatch(/To commit: git commit -m "[^"]*" -- .*src\/lines\.ts/);
    expect(staged.stderr).not.toContain('notes.txt');

    const other = await committedProject();
    writeFiles(other.root, { '.git/index.lock': '' });
    const { stderr } = await other.run(['upgrade', '--commit']);
    expect(stderr).toMatch(/To commit: git add --force -- .* && git commit -m "[^"]*" -- /);
    rmSync(join(other.root, '.git/index.lock'));
  });

  test('waits for the decisions, and commits with --continue', async () => {
    const { run, root } = await conflictingProject();
    const { exitCode, stdout } = await run(['upgrade', '--commit']);
    expect(exitCode).toBe(2);
    expect(stdout).toContain('\nNothing is committed until everything is decided.\n');
    expect(stdout).toContain('npx create-auth-service upgrade --continue --commit (or');
    expect((await run(['upgrade', '--continue', '--commit', '--quiet'])).stderr).toBe(
      'Pending: src/lines.ts. When decided: npx create-auth-service upgrade --continue --commit\n',
    );
    expect(git(root, 'rev-list', '--count', 'HEAD')).toBe('1');
    writeFiles(root, resolved);
    expect(await run(['upgrade', '--continue', '--commit'])).toMatchObject({ exitCode: 0 });
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(root, 'show', 'HEAD:src/lines.ts')).toContain('two = 23;');
    expect(git(root, 'log', '-1', '--format=%s')).toBe(
      `Upgrade from ${generatorVersion()} to 99.0.0`,
    );
  });

  test('with --continue follows a pending file whose folder was renamed', async () => {
    const { run, root } = await conflictingProject();
    await run(['upgrade']);
    rmSync(join(root, 'src/lines.ts'));
    writeFiles(root, { 'src/later/lines.ts': resolved['src/lines.ts'] });
    expect(await run(['upgrade', '--continue', '--commit'])).toMatchObject({ exitCode: 0 });
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(root, 'show', 'HEAD:src/later/lines.ts')).toContain('two = 23;');
  });

  test('with --continue in another checkout commits that nothing waits any more', async () => {
    const { run, root } = await conflictingProject();
    await run(['upgrade']);
    writeFiles(root, resolved);
    git(root, 'add', '--all');
    git(root, 'commit', '--quiet', '--message', 'resolved');
    rmSync(join(root, '.create-auth-service/work'), { recursive: true });
    writeFiles(root, { 'notes.txt': 'mine\n' });
    const { exitCode, stderr } = await run(['upgrade', '--continue', '--commit']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(git(root, 'status', '--porcelain')).toBe('?? notes.txt');
  });

  test('that fails says what git says, with --quiet too', async () => {
    const { run, root } = await committedProject();
    // As another git at work would leave it.
    writeFiles(root, { '.git/refs/heads/main.lock': '' });
    const { exitCode, stderr } = await run(['upgrade', '--commit', '--quiet']);
    const command = `git commit -m "Upgrade from ${generatorVersion()} to 99.0.0"`;
    expect(stderr).toMatch(/^git could not commit: cannot lock ref 'HEAD'/);
    expect(stderr).toMatch(new RegExp(`^To commit: ${command}$`, 'm'));
    expect(exitCode).toBe(1);
    expect(readFiles(root)['src/lines.ts']).toContain('two = 22;');
  });

  test.each([[], ['--continue']])('that fails is not called done: %j', async (...more) => {
    const isLater = more.length > 0;
    const { run, root } = await (isLater ? conflictingProject() : committedProject());
    if (isLater) {
      await run(['upgrade']);
      writeFiles(root, resolved);
    }
    // As another git at work would leave it.
    writeFiles(root, { '.git/refs/heads/main.lock': '' });
    const { exitCode, stdout, stderr } = await run(['upgrade', ...more, '--commit']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/To commit: git commit -m "[^"]*"\n/);
    expect(stdout).toContain('Written, but not committed');
    expect(stdout).not.toContain('Done');
  });

  test('is refused in the middle of a merge: git commits nothing alone then', async () => {
    const { run, root } = await committedProject();
    const before = readFiles(root);
    writeFileSync(join(root, '.git/MERGE_HEAD'), `${git(root, 'rev-parse', 'HEAD')}\n`);
    const { exitCode, stderr } = await run(['upgrade', '--commit']);
    expect(stderr).toContain('git can commit nothing else in the middle of a merge');
    expect(exitCode).toBe(1);
    expect(readFiles(root)).toEqual(before);
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 0 });
  });

  test('needs a repository, and a clean one', async () => {
    const { run } = await upgradableProject();
    const { exitCode, stderr } = await run(['upgrade', '--commit']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('--commit needs git and a repository.');
    expect(await run(['upgrade', '--commit', '--allow-dirty'])).toMatchObject({ exitCode: 1 });
  });
});
