import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFiles, readTree, writeFiles } from '../support/files.js';
import { newerTemplates, olderTemplates, upgradableProject } from '../support/upgradable.js';
import { upgradeFile } from '../support/upgrade-story.js';

const lines = (count: number, text: string) => `${text}\n`.repeat(count);

describe('a file of the team that is longer than any template', () => {
  test.each(['README.md', '.gitignore', '.env.example', 'src/a.ts', 'a.json', 'a.yaml'])(
    '%s',
    async (path) => {
      const base = path.endsWith('.json') ? '{"a": 1}\n' : 'a: 1\nb: 2\n';
      const yours = lines(200_000, 'mine');
      const theirs = base.replace('1', '3');
      const { text, outcomes } = await upgradeFile(path, base, yours, theirs);
      expect(
        text(path)
          ?.split('\n')
          .filter((line) => line === 'mine'),
      ).toHaveLength(200_000);
      expect(Object.values(outcomes)).not.toContain('updated');
    },
  );
});

test.each([
  ['a.json', `{"a": ${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`],
  ['a.yaml', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`],
  ['src/a.ts', `export const a = ${'('.repeat(20_000)}1${')'.repeat(20_000)};\n`],
])('%s, nested more deeply than can be read, stays as the team has it', async (path, yours) => {
  const base = path.endsWith('.json') ? '{"a": 1}\n' : 'a: 1\n';
  const { text, pending } = await upgradeFile(path, base, yours, base.replace('1', '2'));
  expect(pending).toEqual([path]);
  expect(text(path)).toContain(yours.trim());
});

test('YAML in which only values clash keeps every byte of the team', async () => {
  const yours = '# Ours\na:   5\n\n\nlist:\n      - x\n      -   y\n';
  const { text, pending } = await upgradeFile('a.yaml', 'a: 1\n', yours, 'a: 2\n');
  expect(pending).toEqual(['a.yaml']);
  expect(text('a.yaml')).toBe(yours);
});

test('a file in another project, or in a repository of its own, is not taken for a moved one', async () => {
  const [path, text] = ['src/http/plain.ts', 'export const plain = 1;\n'];
  const { run, root } = await upgradableProject({ older: olderTemplates, newer: newerTemplates });
  const inner = readFiles(root);
  cpSync(root, join(root, '../inner'), { recursive: true });
  cpSync(join(root, '../inner'), join(root, 'services/inner'), { recursive: true });
  writeFiles(root, { 'vendor/own/.git': 'gitdir: ../elsewhere\n', [`vendor/own/${path}`]: text });
  rmSync(join(root, path));
  const before = readTree(join(root, 'services'));
  const { exitCode, stdout } = await run(['upgrade']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`${path}: you deleted it; the template has changed it`);
  expect(readTree(join(root, 'services'))).toEqual(before);
  expect(readFiles(root)[`vendor/own/${path}`]).toBe(inner[path]);
});
