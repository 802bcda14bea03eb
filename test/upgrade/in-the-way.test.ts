import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanEnv, ended, scratchFolder } from '../support/cli.js';
import { readFiles, readTree, writeFiles } from '../support/files.js';
import { git } from '../support/git.js';
import {
  conflictingProject,
  resolved,
  type UpgradableProject,
  upgradableProject,
} from '../support/upgradable.js';

const journal = '.create-auth-service/work/journal.json';

describe.skipIf(process.platform === 'win32')('symbolic links', () => {
  test.each([
    ['a file', 'src/lines.ts'],
    ['a folder', 'src'],
    ['the record', '.create-auth-service'],
    ['the pristine texts', '.create-auth-service/base.pack'],
  ])('%s that leads out of the project is not followed', async (_, path) => {
    const { run, root } = await upgradableProject();
    const outside = join(scratchFolder(), 'outside');
    renameSync(join(root, path), outside);
    symlinkSync(outside, join(root, path));
    writeFiles(root, path === 'src/lines.ts' ? {} : { 'src/lines.ts': 'const one = 11;\n' });
    const tree = () => readFiles(join(outside, '..'));
    const before = tree();
    const { exitCode, stderr } = await run(['upgrade']);
    expect(stderr).toContain(`${path} is a symbolic link`);
    expect(exitCode).toBe(1);
    expect(tree()).toEqual(before);
  });

  test('in the place of the folder for locks and the journal is not written through', async () => {
    const { run, root } = await upgradableProject();
    const outside = scratchFolder();
    symlinkSync(outside, join(root, '.create-auth-service/work'));
    for (const flags of [[], ['--dry-run'], ['--abort'], ['--continue']]) {
      const { exitCode, stderr } = await run(['upgrade', ...flags]);
      expect(stderr).toContain('.create-auth-service/work is a symbolic link');
      expect(exitCode).toBe(1);
    }
    expect(readdirSync(outside)).toEqual([]);
  });

  test('in the place of the ignore file of that folder is not written through', async () => {
    const { run, root } = await upgradableProject();
    const outside = join(scratchFolder(), 'outside');
    writeFileSync(outside, 'mine\n');
    mkdirSync(join(root, '.create-auth-service/work'));
    symlinkSync(outside, join(root, '.create-auth-service/work/.gitignore'));
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(outside, 'utf8')).toBe('mine\n');
  });

  test('on the way to a folder that a journal would remove is not followed', async () => {
    const { run, root } = await upgradableProject();
    const outside = scratchFolder();
    mkdirSync(join(outside, 'empty'));
    symlinkSync(outside, join(root, 'linked'));
    const lists = { entries: [], leftFolders: [], nextSteps: [], index: [] };
    const undone = { schema: 1, state: 'undoing', title: 'Upgrade', madeFolders: ['linked/empty'] };
    writeFiles(root, { [journal]: JSON.stringify({ ...undone, ...lists }) });
    expect((await run(['upgrade'])).stderr).toContain('linked is a symbolic link');
    expect(readdirSync(outside)).toEqual(['empty']);
  });

  test('in the place of a new file is not written through', async () => {
    const { run, root } = await upgradableProject();
    const outside = scratchFolder();
    symlinkSync(outside, join(root, 'src/fresh'));
    const { exitCode, stderr } = await run(['upgrade']);
    expect(stderr).toContain('src/fresh is a symbolic link');
    expect(exitCode).toBe(1);
    expect(readdirSync(outside)).toEqual([]);
  });
});

test('a folder in the place of a file is reported', async () => {
  const { run, root } = await upgradableProject();
  rmSync(join(root, 'src/lines.ts'));
  mkdirSync(join(root, 'src/lines.ts'));
  const { exitCode, stderr } = await run(['upgrade']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('src/lines.ts is a folder.');
});

test('a file in the place of a folder is reported', async () => {
  const { run, root } = await upgradableProject();
  writeFiles(root, { 'src/fresh': 'mine\n' });
  const before = readTree(root);
  const { exitCode, stderr } = await run(['upgrade']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('src/fresh is a file. Nothing was changed.');
  expect(readTree(root)).toEqual(before);
});

test.each([
  ['a folder in the place of a file', 'src/fresh/deep/new.ts', 'src/fresh/deep/new.ts/mine.txt'],
  ['a file in the place of a folder', 'src/old', 'src/old'],
])('%s: --abort changes nothing, and --continue still continues', async (_, path, mine) => {
  const { run, root } = await conflictingProject();
  await run(['upgrade']);
  rmSync(join(root, path), { force: true });
  writeFiles(root, { [mine]: 'mine\n' });
  const state = () => ({ tree: readTree(root), status: git(root, 'status', '--porcelain') });
  const before = state();
  const { exitCode, stderr } = await run(['upgrade', '--abort']);
  expect(stderr).toMatch(new RegExp(`^${path} is a (folder|file)`));
  expect(exitCode).toBe(1);
  expect(state()).toEqual(before);
  writeFiles(root, resolved);
  expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
  expect(readFiles(root)).toMatchObject(resolved);
});

test('a folder in the place of the kept copy: --abort gives the copy another name', async () => {
  const { run, root } = await conflictingProject();
  await run(['upgrade']);
  writeFiles(root, { ...resolved, 'src/lines.ts.kept/mine.txt': 'mine\n' });
  const { exitCode, stdout } = await run(['upgrade', '--abort']);
  expect(stdout).toContain('so it was kept: src/lines.ts.kept-2\n');
  expect(exitCode).toBe(0);
});

describe.skipIf(process.platform === 'win32')('what may not be written', () => {
  test('a read-only file is named, and nothing is changed', async () => {
    const { run, root } = await upgradableProject();
    chmodSync(join(root, 'src/lines.ts'), 0o444);
    const before = readTree(root);
    const { exitCode, stderr } = await run(['upgrade']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Read-only, so nothing was changed:\n  src/lines.ts\n');
    expect(readTree(root)).toEqual(before);
  });

  test('a read-only folder is named, and nothing is changed', async () => {
    const project = await upgradableProject();
    chmodSync(join(project.root, 'src/http'), 0o555);
    const before = readTree(project.root);
    const { exitCode, stderr } = await asSomebody(project, ['upgrade']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Read-only, so nothing was changed:\n  src/http\n');
    expect(readTree(project.root)).toEqual(before);
  });

  test('a read-only folder is named by --abort, which changes nothing', async () => {
    const project = await conflictingProject();
    await project.run(['upgrade']);
    chmodSync(join(project.root, 'src/http'), 0o555);
    const before = readTree(project.root);
    const { exitCode, stderr } = await asSomebody(project, ['upgrade', '--abort']);
    expect(stderr).toContain('Read-only, so nothing was changed:\n  src/http\n');
    expect(exitCode).toBe(1);
    expect(readTree(project.root)).toEqual(before);
  });

  test('a journal of somebody else is named', async () => {
    const project = await conflictingProject();
    await project.run(['upgrade']);
    chmodSync(join(project.root, journal), 0);
    for (const args of [['upgrade'], ['upgrade', '--abort'], ['diff']]) {
      const { exitCode, stderr } = await asSomebody(project, args);
      expect(stderr).toBe(`${journal} cannot be read (EACCES).\n`);
      expect(exitCode).toBe(1);
    }
  });

  test('unreadable files are skipped in the search for moved ones', async () => {
    const project = await upgradableProject();
    rmSync(join(project.root, 'src/lines.ts'));
    writeFiles(project.root, { 'data-of-server/x': 'x', 'src/secret.ts': 'x\n' });
    for (const path of ['data-of-server', 'src/secret.ts']) chmodSync(join(project.root, path), 0);
    for (const args of [['diff'], ['upgrade', '--dry-run'], ['upgrade']]) {
      const { exitCode, stderr } = await asSomebody(project, args);
      expect({ exitCode, isBug: stderr.includes('bug') }).toEqual({ exitCode: 0, isBug: false });
    }
    chmodSync(join(project.root, 'data-of-server'), 0o755);
  });

  test('permissions stay the team’s, but for who may execute', async () => {
    const { run, root } = await upgradableProject();
    chmodSync(join(root, 'src/lines.ts'), 0o600);
    chmodSync(join(root, 'src/http/plain.ts'), 0o664);
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 0 });
    const tree = readTree(root);
    expect(tree['src/lines.ts']).toContain('600 const one = 1;\nconst two = 22;');
    expect(tree['src/http/plain.ts']).toBe('664 export const plain = 2;\n');
  });
});

/** Runs the command as a user other than root: root may write anywhere. */
function asSomebody({ root, bins }: UpgradableProject, args: string[]) {
  const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (somebody.uid !== undefined) {
    for (const folder of [dirname(root), join(bins.newer, '../..')]) own(folder, somebody.uid);
  }
  return ended(
    spawn(process.execPath, [bins.newer, ...args], { cwd: root, env: cleanEnv(), ...somebody }),
  );
}

function own(folder: string, uid: number): void {
  // Only what a test has created: root could change the owner of any file.
  if (dirname(folder) !== tmpdir()) throw new Error(`${folder} is not a folder of a test`);
  for (const entry of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(folder, entry), uid, uid);
  }
}

test.skipIf(process.platform === 'win32')(
  'a working directory that was removed is reported',
  async () => {
    const { root, bins } = await upgradableProject();
    const script = `mkdir gone && cd gone && rmdir ../gone && "${process.execPath}" "${bins.newer}" upgrade`;
    const child = spawn('sh', ['-c', script], { cwd: root, env: cleanEnv() });
    const { exitCode, stderr } = await ended(child);
    expect(stderr).toContain('The current folder no longer exists.');
    expect(exitCode).toBe(1);
  },
);

test('a file in the place of the folder for locks and the journal is named', async () => {
  const { run, root } = await upgradableProject();
  writeFiles(root, { '.create-auth-service/work': 'mine\n' });
  for (const args of [['upgrade'], ['upgrade', '--abort'], ['regenerate', 'src'], ['diff']]) {
    const { exitCode, stderr } = await run(args);
    expect(stderr).toContain('.create-auth-service/work is not a folder.\nDelete it: ');
    expect(exitCode).toBe(1);
  }
});
