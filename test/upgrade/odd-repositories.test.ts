import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree } from '../support/files.js';
import { git } from '../support/git.js';
import { committedProject } from '../support/upgradable.js';

describe('a sparse checkout', () => {
  test('without emitted files is refused: they would count as deleted', async () => {
    const { run, root } = await committedProject();
    git(root, 'sparse-checkout', 'set', '--no-cone', '/*', '!/src/http/');
    const before = readTree(root);
    for (const args of [['upgrade'], ['upgrade', '--dry-run'], ['regenerate', '--yes']]) {
      const { exitCode, stderr } = await run(args);
      expect(stderr).toContain('Not in this sparse checkout:\n  src/http/plain.ts\n');
      expect(stderr).toContain('git sparse-checkout disable');
      expect(exitCode).toBe(1);
    }
    expect(readTree(root)).toEqual(before);
    const told = (await run(['doctor', '--no-run'])).stdout;
    expect(told).toContain('1 emitted files are not in this sparse checkout.');
  });

  test('that leaves out nothing emitted, and a file that somebody has only marked, are as ever', async () => {
    const { run, root } = await committedProject({ 'notes/mine.md': 'mine\n' });
    git(root, 'sparse-checkout', 'set', '--no-cone', '/*', '!/notes/');
    git(root, 'update-index', '--skip-worktree', 'src/lines.ts');
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 0 });
  });
});

test('a broken repository does not count as a missing one', async () => {
  const { run, root } = await committedProject();
  rmSync(join(root, '.git'), { recursive: true });
  writeFileSync(join(root, '.git'), 'gitdir: /nowhere\n');
  const before = readTree(root);
  const { exitCode, stderr } = await run(['upgrade']);
  expect(stderr).toMatch(/^git cannot read this repository: not a git repository/);
  expect(exitCode).toBe(1);
  expect(readTree(root)).toEqual(before);
  const told = (await run(['doctor', '--no-run'])).stdout;
  expect(told).toMatch(/problem +git +git cannot read this repository/);
});
