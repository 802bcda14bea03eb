import { appendFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatorVersion } from '../../src/package-root.js';
import { readFiles, readTree, writeFiles } from '../support/files.js';
import { layer } from '../support/small-package.js';
import {
  committedProject,
  conflicting,
  newerTemplates,
  olderTemplates,
  upgradableProject,
} from '../support/upgradable.js';

const deleted = '.env.example (npx create-auth-service regenerate .env.example restores it)';
const manifest = '.create-auth-service/manifest.json';

describe('an upgrade', () => {
  test('adds, changes, moves and removes files, and reports it', async () => {
    const { run, root } = await upgradableProject();
    const { exitCode, stdout } = await run(['upgrade']);
    expect(exitCode).toBe(0);
    for (const line of ['Removed (1)', 'src/old/gone.ts', 'docs/here.md → docs/there.md']) {
      expect(stdout).toContain(line);
    }
    expect(stdout).toContain(`Done: Upgrade from ${generatorVersion()} to 99.0.0.`);
    const files = readFiles(root);
    expect(files['src/fresh/deep/new.ts']).toBe('export const fresh = 1;\n');
    expect(files['src/old/gone.ts']).toBeUndefined();
    expect(JSON.parse(files[manifest] ?? '')).toMatchObject({ version: '99.0.0', pending: [] });
  });

  test('is not undone by an older version, which names what to run', async () => {
    const { run, bins } = await upgradableProject();
    await run(['upgrade']);
    for (const command of [['upgrade'], ['add', 'guests']]) {
      const { exitCode, stderr } = await run(command, { bin: bins.older });
      expect(exitCode).toBe(1);
      expect(stderr).toContain('npx create-auth-service@99.0.0 …\n');
      expect(stderr).toContain('npx create-auth-service@latest upgrade');
    }
  });

  test('to a version in which the choices contradict each other names the one that can change them', async () => {
    const conflicts = { title: 'Ring', group: 'method', conflicts: ['knock'] };
    const newer = { ...newerTemplates, ...layer('features/ring', conflicts) };
    const { run } = await upgradableProject({ newer });
    const { exitCode, stderr } = await run(['upgrade']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('ring and knock exclude each other.\n');
    expect(stderr).toContain(`npx create-auth-service@${generatorVersion()} remove …`);
  });

  test('of a long list, files with a note are always shown', async () => {
    const texts = (value: number) =>
      Array.from({ length: 9 }, (_, at) => [
        `base/files/src/each/${at}.ts`,
        `export const each = ${value};\nexport const other = 1;\n`,
      ]);
    const { run, root } = await upgradableProject({
      older: { ...olderTemplates, ...Object.fromEntries(texts(1)) },
      newer: { ...newerTemplates, ...Object.fromEntries(texts(2)) },
    });
    const formatted = 'export const each = 1\nexport const other = 1\n';
    writeFiles(root, { 'src/each/8.ts': formatted });
    const { stdout } = await run(['upgrade']);
    expect(stdout).toContain('run your formatter: 2 files are in the format of the template\n');
    expect(stdout).toContain('  src/each/8.ts: you had only formatted it');
    expect(stdout).not.toContain('  src/each/7.ts');
    expect(stdout).toMatch(/ {2}and \d+ more \(all with --verbose\)/);
  });

  test('a second time has nothing to do and writes nothing', async () => {
    const { run, root } = await upgradableProject();
    await run(['upgrade']);
    const before = readTree(root);
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 0, stdout: 'Nothing to do.\n' });
    expect(readTree(root)).toEqual(before);
  });

  test('--dry-run writes nothing, and with --diff is a patch', async () => {
    const { run, root } = await upgradableProject();
    const before = readTree(root);
    const shown = await run(['upgrade', '--dry-run']);
    expect(shown).toMatchObject({ exitCode: 0 });
    expect(shown.stdout).toContain('Nothing was written.');
    expect(shown.stdout).toContain('Next, after a run without --dry-run:\n  npm install\n');
    const { stdout } = await run(['upgrade', '--dry-run', '--diff']);
    expect(stdout).toContain('-const two = 2;\n+const two = 22;\n');
    expect(stdout).not.toContain('.create-auth-service/base');
    expect(readTree(root)).toEqual(before);
  });

  test('--dry-run --diff says on stderr what the patch does not', async () => {
    const { run, root } = await committedProject();
    writeFiles(root, { 'src/lines.ts': 'const one = 1;\n' });
    const { stdout, stderr } = await run(['upgrade', '--dry-run', '--diff']);
    expect(stderr).toContain('Without --dry-run it would be refused now. ');
    expect(stderr).toMatch(/Next, after a run without --dry-run:\n.*npm install\n/s);
    expect(stdout).toMatch(/^diff --git /);
  });

  test('--json is one document, also with a conflict and an error', async () => {
    const { run, root } = await upgradableProject();
    writeFiles(root, conflicting);
    const { exitCode, stdout } = await run(['upgrade', '--json']);
    expect(exitCode).toBe(2);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      from: generatorVersion(),
      to: '99.0.0',
      pending: ['src/lines.ts'],
    });
    expect(document.files).toContainEqual({
      id: 'src/lines.ts',
      path: 'src/lines.ts',
      owner: 'ours',
      outcome: 'conflict',
      conflicts: [{ from: 2, to: 8 }],
    });
    const refused = await run(['upgrade', '--json']);
    expect(JSON.parse(refused.stdout).error.message).toContain('src/lines.ts');
  });

  test.each<[string, (root: string) => void, string[]]>([
    [
      'renamed',
      (root) => renameSync(join(root, '.env.example'), join(root, 'env.sample')),
      [
        'read about new variables in env.sample: NEW_ONE',
        'compare .env with env.sample, which has other values now: PORT',
      ],
    ],
    [
      'deleted',
      (root) => rmSync(join(root, '.env.example')),
      [
        `read about new variables in ${deleted}: NEW_ONE`,
        `compare .env with ${deleted}, which has other values now: PORT`,
      ],
    ],
    [
      'extended by the same variable',
      (root) => appendFileSync(join(root, '.env.example'), 'NEW_ONE=mine\n'),
      ['compare .env with .env.example, which has other values now: PORT'],
    ],
  ])('names new variables where they are, if .env.example is %s', async (_, change, steps) => {
    const envExample = (newerTemplates['base/env.example'] ?? '').replace('3000', '4000');
    const { run, root } = await upgradableProject({
      newer: { ...newerTemplates, 'base/env.example': `${envExample}\n# New.\nNEW_ONE=\n` },
    });
    change(root);
    const { nextSteps } = JSON.parse((await run(['upgrade', '--json'])).stdout);
    expect(nextSteps).toEqual(['npm install', ...steps]);
    if (steps.some((step) => step.includes(deleted))) {
      await run(['regenerate', '.env.example']);
      expect(readFiles(root)['.env.example']).toContain('NEW_ONE=');
    }
  });

  test.each([
    [['--diff'], '--diff needs --dry-run.'],
    [['--continue', '--abort'], 'Use either --continue or --abort.'],
    [['--abort', '--dry-run'], '--dry-run shows an upgrade'],
  ])('%s makes no sense', async (flags, message) => {
    const { run } = await upgradableProject();
    const { exitCode, stderr } = await run(['upgrade', ...flags]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });
});
