import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFiles, readTree, writeFiles } from './support/files.js';
import { applyPatch, git } from './support/git.js';
import {
  conflictingProject,
  newerTemplates,
  olderTemplates,
  upgradableProject,
} from './support/upgradable.js';

const migration = 'base/files/migrations/20260101_old.ts';
const older = { ...olderTemplates, [migration]: 'export async function up() {}\n' };

/** A project of the older release, and the newer release created over it. */
async function projectToMakeOver() {
  const { root, run } = await upgradableProject({ older, newer: newerTemplates });
  const flags = ['--force', '--yes', '--no-install', '--no-git'];
  const makeOver = (...more: string[]) => run(['made', ...flags, ...more], { cwd: dirname(root) });
  return { root, makeOver };
}

describe('--force over a project that an older release made', () => {
  test('removes what the newer release has moved or dropped, and folders left empty', async () => {
    const { root, makeOver } = await projectToMakeOver();
    const { exitCode, stdout } = await makeOver();
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'No longer in the project, removed:\n  docs/here.md\n  src/old/gone.ts\n',
    );
    const files = readFiles(root);
    expect(files['docs/there.md']).toBe('# Here\n\nText.\n');
    expect([files['docs/here.md'], existsSync(join(root, 'src/old'))]).toEqual([undefined, false]);
  });

  test('keeps what the team has edited or added there, and migrations, and says so', async () => {
    const { root, makeOver } = await projectToMakeOver();
    writeFiles(root, { 'src/old/gone.ts': 'export const mine = 1;\n', 'src/old/own.ts': 'own\n' });
    const { removed, kept } = JSON.parse((await makeOver('--json')).stdout);
    expect({ removed, kept }).toEqual({
      removed: ['docs/here.md'],
      kept: ['migrations/20260101_old.ts', 'src/old/gone.ts'],
    });
    expect(readFiles(root)).toMatchObject({
      'src/old/gone.ts': 'export const mine = 1;\n',
      'src/old/own.ts': 'own\n',
    });
  });

  test('lists what it replaces by another text, and what somebody has edited first', async () => {
    const { root, makeOver } = await projectToMakeOver();
    writeFiles(root, { 'src/list.ts': 'mine\n' });
    const { stdout } = await makeOver();
    expect(stdout).toContain(
      'Replaced:\n  src/list.ts\n  package.json\n  src/http/plain.ts\n  src/lines.ts\n\n',
    );
  });

  test('leaves no conflict of an upgrade that waits there in git’s index', async () => {
    const { run, root } = await conflictingProject();
    await run(['upgrade']);
    const flags = ['--force', '--yes', '--no-install', '--no-git'];
    expect(await run(['create', '.', ...flags])).toMatchObject({ exitCode: 0 });
    expect(git(root, 'ls-files', '--unmerged')).toBe('');
  });

  test('--dry-run says what would go, and its patch takes it away', async () => {
    const { root, makeOver } = await projectToMakeOver();
    const before = readTree(root);
    expect((await makeOver('--dry-run')).stdout).toContain('removed:\n  docs/here.md\n');
    const { stdout } = await makeOver('--dry-run', '--diff');
    expect(readTree(root)).toEqual(before);
    applyPatch(root, stdout);
    expect(existsSync(join(root, 'src/old/gone.ts'))).toBe(false);
  });

  test('does no more than --force where the record cannot be trusted', async () => {
    const { root, makeOver } = await projectToMakeOver();
    const manifest = join(root, '.create-auth-service/manifest.json');
    const path = '"path":"src/old/gone.ts"';
    expect(readFileSync(manifest, 'utf8')).toContain(path);
    for (const text of ['no JSON', readFileSync(manifest, 'utf8').replace(path, '"path":"../x"')]) {
      rmSync(manifest, { force: true });
      writeFiles(root, { '.create-auth-service/manifest.json': text });
      expect(await makeOver()).toMatchObject({ exitCode: 0 });
      expect(existsSync(join(root, 'src/old/gone.ts'))).toBe(true);
    }
  });
});
