import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manifestPath } from '../../src/plan/manifest.js';
import { scratchFolder } from '../support/cli.js';
import { readFiles, readTree, writeFiles } from '../support/files.js';
import { git } from '../support/git.js';
import { losePristine } from '../support/pristine-texts.js';
import {
  committedProject,
  conflicting,
  conflictingProject,
  newerTemplates,
  resolved,
  upgradableProject,
} from '../support/upgradable.js';

describe('what is not committed', () => {
  test('a changed file stops an upgrade, unless --allow-dirty', async () => {
    const { run, root } = await committedProject();
    writeFiles(root, { 'src/app.ts': 'mine\n' });
    const before = readFiles(root);
    const { exitCode, stderr } = await run(['upgrade']);
    expect(stderr).toContain('Not committed:\n  src/app.ts\n');
    expect(stderr).toContain('--allow-dirty');
    expect(exitCode).toBe(1);
    expect(readFiles(root)).toEqual(before);
    expect(await run(['upgrade', '--allow-dirty'])).toMatchObject({ exitCode: 0 });
    expect(readFiles(root)['src/app.ts']).toBe('mine\n');
  });

  test('a staged change and a staged removal count, too', async () => {
    const { run, root } = await committedProject();
    writeFiles(root, { 'src/app.ts': 'mine\n' });
    git(root, 'add', '--all');
    git(root, 'rm', '--quiet', '--cached', 'src/list.ts');
    const { exitCode, stderr } = await run(['upgrade']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Not committed:\n  src/app.ts\n  src/list.ts\n');
  });

  test('an untracked file of the team does not stop it', async () => {
    const { run, root } = await committedProject();
    writeFiles(root, { 'notes.txt': 'mine\n' });
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 0 });
    expect(readFiles(root)['notes.txt']).toBe('mine\n');
  });

  test('an untracked file that would be written stops it', async () => {
    const { run, root } = await committedProject();
    git(root, 'rm', '--quiet', '--cached', 'src/lines.ts');
    git(root, 'commit', '--quiet', '--message', 'unknown to git');
    const { exitCode, stderr } = await run(['upgrade']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Not committed:\n  src/lines.ts\n');
  });

  test('an edited file that git ignores stops it, and what to do is said', async () => {
    const { run, root } = await committedProject({
      '.gitignore': '.env\nnode_modules\nsrc/lines.ts\n',
    });
    writeFiles(root, {
      'src/lines.ts': 'const one = 1;\nconst two = 2;\nconst three = 3;\nconst four = 5;\n',
    });
    const { exitCode, stderr } = await run(['upgrade']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Ignored by git, which could not restore them:\n  src/lines.ts');
    expect(stderr).toContain('git add --force src/lines.ts');
    git(root, 'add', '--force', 'src/lines.ts');
    git(root, 'commit', '--quiet', '--message', 'keep it');
    expect(await run(['upgrade', '--commit'])).toMatchObject({ exitCode: 0 });
    expect(git(root, 'show', 'HEAD:src/lines.ts')).toMatch(/two = 22;[\s\S]*four = 5;/);
  });

  test('does not stop --dry-run, which says that it would stop the upgrade', async () => {
    const { run, root } = await committedProject();
    const warning = 'Without --dry-run it would be refused now. Not committed:\n  src/app.ts\n';
    expect((await run(['upgrade', '--dry-run'])).stdout).not.toContain('refused');
    writeFiles(root, { 'src/app.ts': 'mine\n' });
    const before = readTree(root);
    const { exitCode, stdout } = await run(['upgrade', '--dry-run']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(warning);
    const inJson = await run(['upgrade', '--dry-run', '--json']);
    expect(JSON.parse(inJson.stdout).notes).toContain(warning.trimEnd());
    const allowed = await run(['upgrade', '--dry-run', '--allow-dirty']);
    expect(allowed.stdout).not.toContain('refused');
    expect(readTree(root)).toEqual(before);
  });
});

describe('conflicts', () => {
  test('are in git’s index as base, yours and theirs, until they are decided', async () => {
    const { run, root } = await conflictingProject();
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 2 });
    expect(git(root, 'status', '--porcelain', 'src/lines.ts')).toBe('UU src/lines.ts');
    expect(git(root, 'show', ':1:src/lines.ts')).toContain('two = 2;');
    expect(git(root, 'show', ':2:src/lines.ts')).toContain('two = 3;');
    expect(git(root, 'show', ':3:src/lines.ts')).toContain('two = 22;');

    writeFiles(root, resolved);
    expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
    expect(git(root, 'ls-files', '--unmerged')).toBe('');
    expect(git(root, 'status', '--porcelain', 'src/lines.ts')).toBe(' M src/lines.ts');
    expect(git(root, 'log', '--format=%s')).toBe('all');
  });

  test('in a file that the template moves leave its old path, so that all can be committed', async () => {
    const newer = { ...newerTemplates, 'base/files/docs/there.md': '# Here\n\nTheirs.\n' };
    const { run, root } = await committedProject(
      { 'docs/here.md': '# Here\n\nOurs.\n' },
      { newer },
    );
    const before = readTree(root);
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 2 });
    expect(git(root, 'status', '--porcelain', 'docs')).toBe('D  docs/here.md\nUU docs/there.md');
    await run(['upgrade', '--abort']);
    expect([readTree(root), git(root, 'status', '--porcelain')]).toEqual([before, '']);
    await run(['upgrade']);
    writeFiles(root, { 'docs/there.md': '# Here\n\nBoth.\n' });
    git(root, 'commit', '--quiet', '--all', '--message', 'upgraded');
    expect(git(root, 'ls-files', 'docs')).toBe('docs/there.md');
  });

  test('have the line ends of the repository in the index, so that no line but the resolved one changes', async () => {
    const { run, root } = await conflictingProject();
    git(root, 'config', 'core.autocrlf', 'true');
    rmSync(join(root, 'src/lines.ts'));
    git(root, 'checkout', '--', 'src/lines.ts');
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 2 });
    expect(git(root, 'ls-files', '--eol', 'src/lines.ts')).not.toContain('i/crlf');
    writeFiles(root, { 'src/lines.ts': resolved['src/lines.ts'].replaceAll('\n', '\r\n') });
    git(root, 'add', 'src/lines.ts');
    expect(git(root, 'diff', '--cached', '--numstat', 'src/lines.ts')).toBe('1\t1\tsrc/lines.ts');
  });

  test('are reported to be in the files alone while another git locks the index', async () => {
    const { run, root } = await conflictingProject();
    writeFiles(root, { '.git/index.lock': '' });
    const { exitCode, stdout } = await run(['upgrade']);
    expect(exitCode).toBe(2);
    expect(stdout).toContain("Git's index could not be written: the conflicts are marked");
    expect(git(root, 'ls-files', '--unmerged')).toBe('');
    rmSync(join(root, '.git/index.lock'));
    writeFiles(root, resolved);
    expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
    expect(git(root, 'status', '--porcelain', 'src/lines.ts')).toBe(' M src/lines.ts');
  });

  test.each([['--abort'], ['--continue']])(
    'stay in the index as long as another git locks it: %s is refused',
    async (flag) => {
      const { run, root } = await conflictingProject();
      await run(['upgrade']);
      if (flag === '--continue') writeFiles(root, resolved);
      const before = readTree(root);
      writeFiles(root, { '.git/index.lock': '' });
      const { exitCode, stdout, stderr } = await run(['upgrade', flag]);
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toContain("Git's index could not be written. Nothing was changed.");
      rmSync(join(root, '.git/index.lock'));
      expect(readTree(root)).toEqual(before);
      expect(await run(['upgrade', flag])).toMatchObject({ exitCode: 0 });
      expect(git(root, 'ls-files', '--unmerged')).toBe('');
    },
  );

  test.each([['--abort'], ['--continue']])(
    'leave nothing in the index after %s, if a formatter has rewritten the record',
    async (flag) => {
      const { run, root } = await conflictingProject();
      await run(['upgrade']);
      const record = JSON.parse(readFileSync(join(root, manifestPath), 'utf8'));
      writeFiles(root, { ...resolved, [manifestPath]: JSON.stringify(record) });
      expect(await run(['upgrade', flag])).toMatchObject({ exitCode: 0 });
      expect(git(root, 'ls-files', '--unmerged')).toBe('');
    },
  );

  test('that were staged stay staged after --abort, which says so', async () => {
    const { run, root } = await conflictingProject();
    await run(['upgrade']);
    git(root, 'add', '--all');
    const { stdout } = await run(['upgrade', '--abort']);
    expect(stdout).toContain('still staged. To unstage it: git reset\n');
    git(root, 'reset', '--quiet');
    expect(git(root, 'status', '--porcelain')).toBe('');
  });

  test('that were committed leave nothing staged after --abort', async () => {
    const { run, root } = await conflictingProject();
    await run(['upgrade']);
    git(root, 'commit', '--quiet', '--all', '--message', 'wip');
    const { stdout } = await run(['upgrade', '--abort']);
    expect(stdout).toBe('Everything is as it was before.\n');
    expect(git(root, 'diff', '--cached', '--name-only')).toBe('');
  });

  test('of git itself stop an upgrade', async () => {
    const { run, root } = await committedProject();
    git(root, 'checkout', '--quiet', '-b', 'other');
    writeFiles(root, { 'src/app.ts': 'theirs\n' });
    git(root, 'commit', '--quiet', '--all', '--message', 'theirs');
    git(root, 'checkout', '--quiet', 'main');
    writeFiles(root, { 'src/app.ts': 'ours\n' });
    git(root, 'commit', '--quiet', '--all', '--message', 'ours');
    expect(() => git(root, 'merge', 'other')).toThrow();
    const { exitCode, stderr } = await run(['upgrade', '--allow-dirty']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('git has conflicts that are not resolved:\n  src/app.ts');
  });
});

test('no hook, file system monitor or inherited repository has an effect', async () => {
  const { run, root } = await conflictingProject();
  const marks = scratchFolder();
  const hooks = ['pre-commit', 'commit-msg', 'post-commit', 'post-index-change', 'fsmonitor'];
  for (const name of hooks) {
    const file = join(marks, name);
    writeFiles(marks, { [name]: `#!/bin/sh\necho ${name} >> ${marks}/ran\nexit 1\n` });
    chmodSync(file, 0o755);
  }
  git(root, 'config', 'core.hooksPath', marks);
  git(root, 'config', 'core.fsmonitor', join(marks, 'fsmonitor'));
  rmSync(join(marks, 'ran'), { force: true });
  const env = { GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index', GIT_WORK_TREE: '/' };
  expect(await run(['upgrade'], { env })).toMatchObject({ exitCode: 2 });
  writeFiles(root, resolved);
  expect(await run(['upgrade', '--continue', '--commit'], { env })).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(marks, 'ran'))).toBe(false);
});

describe('where the project is in a repository', () => {
  test('in a folder of it: only that folder matters, and conflicts are marked there', async () => {
    const project = await upgradableProject();
    const repository = scratchFolder();
    const root = join(repository, 'services/auth');
    mkdirSync(join(repository, 'services'));
    cpSync(project.root, root, { recursive: true });
    writeFiles(repository, {
      'services/auth/src/lines.ts': conflicting['src/lines.ts'],
      'other.txt': 'a\n',
    });
    git(repository, 'init', '--quiet');
    git(repository, 'add', '--all');
    git(repository, 'commit', '--quiet', '--message', 'all');
    writeFiles(repository, { 'other.txt': 'dirty, but elsewhere\n' });
    const cwd = join(root, 'src/http');
    expect(await project.run(['upgrade'], { cwd })).toMatchObject({ exitCode: 2 });
    expect(git(repository, 'status', '--porcelain', 'services/auth/src/lines.ts')).toBe(
      'UU services/auth/src/lines.ts',
    );
    expect(await project.run(['upgrade', '--abort'], { cwd })).toMatchObject({ exitCode: 0 });
    expect(git(repository, 'status', '--porcelain')).toBe(' M other.txt');
  });

  test('in a worktree', async () => {
    const { root, run } = await conflictingProject();
    const cwd = join(scratchFolder(), 'tree');
    git(root, 'worktree', 'add', '--quiet', cwd, '-b', 'upgrade');
    expect(await run(['upgrade'], { cwd })).toMatchObject({ exitCode: 2 });
    expect(git(cwd, 'status', '--porcelain', 'src/lines.ts')).toBe('UU src/lines.ts');
    expect(git(root, 'status', '--porcelain')).toBe('');
  });

  test('as a submodule', async () => {
    const { root, run } = await conflictingProject();
    const outer = scratchFolder();
    git(outer, 'init', '--quiet');
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'auth');
    const cwd = join(outer, 'auth');
    expect(await run(['upgrade'], { cwd })).toMatchObject({ exitCode: 2 });
    expect(git(cwd, 'status', '--porcelain', 'src/lines.ts')).toBe('UU src/lines.ts');
  });

  test('in one with SHA-256 ids', async () => {
    const project = await upgradableProject();
    writeFiles(project.root, conflicting);
    git(project.root, 'init', '--quiet', '--object-format=sha256');
    git(project.root, 'add', '--all');
    git(project.root, 'commit', '--quiet', '--message', 'all');
    losePristine(project.root, 'src/lines.ts');
    const { exitCode, stdout } = await project.run(['upgrade', '--allow-dirty']);
    expect(exitCode).toBe(2);
    expect(stdout).toContain('src/lines.ts');
    expect(await project.run(['upgrade', '--abort'])).toMatchObject({ exitCode: 0 });
    expect(git(project.root, 'ls-files', '--unmerged')).toBe('');
  });

  test('without git all of it works, too', async () => {
    const { run, root } = await upgradableProject();
    writeFiles(root, conflicting);
    const env = { PATH: scratchFolder() };
    expect(await run(['upgrade'], { env })).toMatchObject({ exitCode: 2 });
    writeFiles(root, resolved);
    expect(await run(['upgrade', '--continue'], { env })).toMatchObject({ exitCode: 0 });
  });
});

test('a pristine text that is not in the record is taken from git’s history', async () => {
  const project = await committedProject();
  const edit = 'const one = 1;\nconst two = 2;\nconst three = 3;\nconst four = 44;\n';
  writeFiles(project.root, { 'src/lines.ts': edit });
  losePristine(project.root, 'src/lines.ts');
  git(project.root, 'commit', '--quiet', '--all', '--message', 'edited, and the record is gone');
  expect(await project.run(['upgrade'])).toMatchObject({ exitCode: 0 });
  expect(readFiles(project.root)['src/lines.ts']).toBe(
    'const one = 1;\nconst two = 22;\nconst three = 3;\nconst four = 44;\n',
  );
});
