import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manifestPath as manifest } from '../../src/plan/manifest.js';
import { scratchFolder } from '../support/cli.js';
import { readTree, writeFiles } from '../support/files.js';
import { conflictingProject, upgradableProject } from '../support/upgradable.js';

const journalPath = '.create-auth-service/work/journal.json';

describe('a record that is not in order', () => {
  const edit = (text: string, change: (value: { files: { path: string }[] }) => void) => {
    const value = JSON.parse(text);
    change(value);
    return JSON.stringify(value);
  };
  test.each<[string, (text: string) => string, string]>([
    ['no JSON', () => 'nothing', 'is not JSON'],
    ['with markers of git', (text) => `<<<<<<< HEAD\n${text}`, "has git's conflict markers in it."],
    [
      'of a newer schema',
      (text) => edit(text, (value) => Object.assign(value, { schema: 2 })),
      'has schema 2',
    ],
    [
      'edited by hand',
      (text) => text.replace('"owner":"yours"', '"owner":"ours"'),
      'its checksum does not match',
    ],
    [
      'with a version that is none',
      (text) => text.replace(/("version": ?")\d+/, '$100'),
      'is damaged at version',
    ],
    [
      'with a path out of the project',
      (text) => text.replace('"path":"src/app.ts"', '"path":"../app.ts"'),
      '"../app.ts", which is not a file of the project',
    ],
    [
      'with a path into git',
      (text) => text.replace('"path":"src/app.ts"', '"path":".git/hooks/pre-commit"'),
      'which is not a file of the project',
    ],
    [
      'with a path twice',
      (text) => text.replace('"path":"src/app.ts"', '"path":"src/list.ts"'),
      'names src/list.ts twice',
    ],
    ['without files', (text) => edit(text, (value) => Object.assign(value, { files: 1 })), 'files'],
  ])('%s is refused', async (_, change, message) => {
    const { run, root } = await upgradableProject();
    writeFiles(root, { [manifest]: change(readFileSync(join(root, manifest), 'utf8')) });
    const before = readTree(root);
    const { exitCode, stderr } = await run(['upgrade']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('Unexpected error');
    expect(exitCode).toBe(1);
    expect(readTree(root)).toEqual(before);
  });

  test.each<[string, object, object]>([
    ['a previous text that was cut', {}, { text: 'Y29uc3Qg' }],
    ['permissions that there are not', {}, { mode: -1 }],
    // It is never touched.
    ['a previous text for .env', { path: '.env' }, {}],
  ])('a journal with %s is refused', async (_, damaged, damagedBefore) => {
    const { run, root } = await conflictingProject();
    await run(['upgrade']);
    const journal = JSON.parse(readFileSync(join(root, journalPath), 'utf8'));
    const entry = journal.entries.find(({ path }: { path: string }) => path === 'src/lines.ts');
    Object.assign(Object.assign(entry, damaged).before, damagedBefore);
    writeFiles(root, { [journalPath]: JSON.stringify({ ...journal, state: 'undoing' }) });
    const before = readTree(root);
    for (const args of [['upgrade'], ['upgrade', '--abort']]) {
      const { exitCode, stderr } = await run(args);
      expect(stderr).toContain(`${journalPath} is damaged`);
      expect(exitCode).toBe(1);
    }
    expect(readTree(root)).toEqual(before);
  });

  test('missing, it is reported; so is a folder that is no project', async () => {
    const { run, root } = await upgradableProject();
    rmSync(join(root, manifest));
    expect((await run(['upgrade'])).stderr).toContain(`${manifest} is missing`);
    const { stderr } = await run(['upgrade'], { cwd: scratchFolder() });
    expect(stderr).toContain('No project here');
    expect(stderr).toContain('git checkout <commit> -- .create-auth-service');
  });

  test('of a newer version: an older one refuses, naming the newer', async () => {
    const { run, root, bins } = await upgradableProject();
    await run(['upgrade']);
    const before = readTree(root);
    for (const args of [['upgrade'], ['diff', '--upstream']]) {
      const { exitCode, stderr } = await run(args, { bin: bins.older });
      expect(exitCode).toBe(1);
      expect(stderr).toContain('npx create-auth-service@99.0.0 …');
    }
    expect(readTree(root)).toEqual(before);
  });
});
