import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { breakingAt, callsOf } from '../support/broken-run.js';
import { readTree, writeFiles } from '../support/files.js';
import { committedProject, conflicting, conflictingProject, git } from '../support/upgradable.js';

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

test('--abort that is killed at any step leaves git with no conflict, at the latest when it is repeated', async () => {
  const project = await conflictingProject();
  await project.run(['upgrade']);
  const counted = project.copy();
  const steps = await callsOf((env) => counted.run(['upgrade', '--abort'], { env }));
  for (let step = 1; step <= steps.length; step += 4) {
    const { run, root } = project.copy();
    await run(['upgrade', '--abort'], { env: breakingAt(step, 'kill') });
    await run(['upgrade', '--abort']);
    expect(`${step} ${git(root, 'status', '--porcelain')}`).toBe(`${step} `);
  }
}, 180_000);

test('--continue that is killed at any step leaves git with no conflict, at the latest when it is repeated', async () => {
  const project = await conflictingProject();
  await project.run(['upgrade']);
  writeFiles(project.root, conflicting);
  const counted = project.copy();
  const steps = await callsOf((env) => counted.run(['upgrade', '--continue'], { env }));
  for (let step = 1; step <= steps.length; step += 2) {
    const { run, root } = project.copy();
    expect(git(root, 'ls-files', '--unmerged')).not.toBe('');
    await run(['upgrade', '--continue'], { env: breakingAt(step, 'kill') });
    await run(['upgrade', '--continue']);
    expect(`${step} ${git(root, 'ls-files', '--unmerged')}`).toBe(`${step} `);
  }
}, 180_000);
