import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { healProject } from '../../src/project/changes/heal-project.js';
import { type Break, breakingAt, callsOf, isStopped } from '../support/broken-run.js';
import { cleanEnv, ended, scratchFolder } from '../support/cli.js';
import { type Files, readTree, writeFiles } from '../support/files.js';
import { git } from '../support/git.js';
import {
  committedProject,
  conflictingProject,
  resolved,
  type UpgradableProject,
  upgradableProject,
} from '../support/upgradable.js';

/**
 * Whatever stops an upgrade at any of its steps, the project is as before or as after, never in between. Each call
 * that changes the disk is a step.
 */
let project: UpgradableProject;
let before: Files;
let after: Files;
let steps: string[];

/** Some hundred runs of the command, on a busy machine. */
const patience = 180_000;
const work = '.create-auth-service/work';

const folder = mkdtempSync(join(tmpdir(), 'create-auth-service-broken-'));

afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  project = await upgradableProject({ folder });
  before = readTree(project.root);
  const done = project.copy(join(folder, 'done'));
  steps = await callsOf((env) => done.run(['upgrade'], { env }));
  after = readTree(done.root);
});

interface Broken {
  root: string;
  step: number;
  exitCode: number | null;
  stderr: string;
}

/** Stops a command at these steps, each time on a fresh copy, and checks what is left. Two at a time. */
async function eachStep(
  project: UpgradableProject,
  args: string[],
  broken: number[],
  how: Break,
  look: (broken: Broken) => Promise<void> | void,
): Promise<void> {
  const open = [...broken];
  const lane = async () => {
    const { root, run } = project.copy();
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      const { exitCode, stderr } = await run(args, { env: breakingAt(step, how) });
      await look({ root, step, exitCode, stderr });
      rmSync(root, { recursive: true });
      cpSync(project.root, root, { recursive: true });
    }
  };
  await Promise.all([lane(), lane()]);
}

/** The number of the step that writes `base.pack`: all files of the team are changed by then, the manifest comes last. */
function beforeRecord(): number {
  return steps.lastIndexOf('renameSync');
}

/** The numbers of every n-th step from the first one, and of the last ones, which clean up. */
function numbersOf(all: string[], every: number): number[] {
  const last = all.length - 8;
  return all
    .map((_, index) => index + 1)
    .filter((step) => step % every === 1 % every || step > last);
}

test('an upgrade has many steps, and completes if nothing interrupts it', () => {
  expect(steps.length).toBeGreaterThan(50);
  expect(steps.filter((name) => name === 'renameSync').length).toBeGreaterThan(5);
  expect(after['src/lines.ts']).toContain('const two = 22;');
  expect(after['src/old/gone.ts']).toBeUndefined();
  expect(Object.keys(after).filter((path) => path.startsWith(work))).toEqual([]);
});

test(
  'kill -9 at any step: the next run restores everything, or everything was done',
  async () => {
    const states = new Map<number, string>();
    await eachStep(
      project,
      ['upgrade'],
      numbersOf(steps, 2),
      'kill',
      ({ root, step, exitCode }) => {
        expect(exitCode).toBe(null);
        healProject(root);
        expect(existsSync(join(root, work, 'journal.json'))).toBe(false);
        states.set(step, stateOf(readTree(root), { before, after }));
      },
    );
    expect([...states].filter(([, state]) => state === 'between')).toEqual([]);
    expect(states.get(1)).toBe('before');
    expect(states.get(steps.length)).toBe('after');
  },
  patience,
);

test('after kill -9 the same command recovers and completes', async () => {
  const { run, root } = project.copy();
  await run(['upgrade'], { env: breakingAt(beforeRecord(), 'kill') });
  expect(stateOf(readTree(root), { before, after })).toBe('between');

  for (const args of [
    ['upgrade', '--dry-run'],
    ['diff', '--check'],
  ]) {
    const looked = await run(args);
    expect(looked).toMatchObject({ exitCode: 1 });
    expect(looked.stderr).toContain('A run was killed half-way');
    expect(looked.stderr).toContain('npx create-auth-service upgrade --abort');
  }

  const { exitCode, stdout } = await run(['upgrade']);
  expect(stdout).toContain('An earlier run was killed half-way. Its changes have been undone');
  expect(exitCode).toBe(0);
  expect(readTree(root)).toEqual(after);
});

test('files written between the kill and the recovery are kept', async () => {
  const { run, root } = project.copy();
  await run(['upgrade'], { env: breakingAt(beforeRecord(), 'kill') });
  writeFiles(root, { 'src/lines.ts': 'mine\n' });
  const { stdout } = await run(['upgrade', '--abort']);
  expect(stdout).toContain('kept: src/lines.ts.kept');
  expect(readTree(root)).toEqual({ ...before, 'src/lines.ts.kept': '644 mine\n' });
});

test(
  'an error at any step: exit code 1 and all as before',
  async () => {
    const told: string[] = [];
    await eachStep(
      project,
      ['upgrade'],
      numbersOf(steps, 3),
      'fail',
      ({ root, step, exitCode, stderr }) => {
        const state = stateOf(readTree(root), { before, after });
        // The last steps clean up what is no longer needed.
        const expected = exitCode === 0 ? 'after' : 'before';
        expect(`${step} ${state}`).toBe(`${step} ${expected}`);
        if (exitCode !== 0) told.push(stderr);
      },
    );
    expect(told.filter((text) => !/\(ENOSPC\)\. Nothing was changed\.\n/.test(text))).toEqual([]);
    expect(told.length).toBeGreaterThan(15);
  },
  patience,
);

test('a disk that is full from some step on: all as before, at the latest when there is space again', async () => {
  const copy = project.copy();
  // Every fifth is enough: only the amount written by then differs.
  for (let step = 1; step <= steps.length; step += 5) {
    const { exitCode } = await copy.run(['upgrade'], { env: breakingAt(step, 'full') });
    healProject(copy.root);
    const state = stateOf(readTree(copy.root), { before, after });
    expect(`${step} ${state}`).toBe(`${step} ${exitCode === 0 ? 'after' : 'before'}`);
    if (exitCode === 0) return;
  }
});

test('Ctrl-C: exit code 130 and all as before', async () => {
  const replacing = steps.lastIndexOf('renameSync') - 5;
  for (const step of [1, 20, replacing]) {
    const { run, root } = project.copy();
    const { exitCode, stderr } = await run(['upgrade'], { env: breakingAt(step, 'interrupt') });
    expect(exitCode).toBe(130);
    expect(stderr).toContain('Interrupted. Nothing was changed.');
    expect(readTree(root)).toEqual(before);
  }
});

test('a closed pipe, as by head, stops nothing', async () => {
  for (const args of [['upgrade'], ['upgrade', '--json']]) {
    const { start, root } = project.copy();
    const child = start(args);
    child.stdout?.destroy();
    child.stderr?.destroy();
    expect(await ended(child)).toMatchObject({ exitCode: 0 });
    expect(readTree(root)).toEqual(after);
  }
});

describe('two upgrades at once', () => {
  test('the second one is refused as long as the first one lives', async () => {
    const { run, start, root } = project.copy();
    const first = start(['upgrade'], { env: breakingAt(30, 'stop') });
    const end = ended(first);
    while (!existsSync(join(root, work, 'journal.json'))) await wait(10);
    for (const args of [['upgrade'], ['upgrade', '--abort'], ['upgrade', '--dry-run']]) {
      const { exitCode, stderr } = await run(args);
      expect(stderr).toContain('Another create-auth-service is changing this project.');
      expect(exitCode).toBe(1);
    }
    first.kill('SIGCONT');
    expect(await end).toMatchObject({ exitCode: 0 });
    expect(readTree(root)).toEqual(after);
  });

  test('four that find the lock of a dead run: the upgrade is done once', async () => {
    const { run, root } = project.copy();
    await run(['upgrade'], { env: breakingAt(40, 'kill') });
    expect(readdirSync(join(root, work))).toContain('lock-1');
    const ends = await Promise.all([1, 2, 3, 4].map(() => run(['upgrade'])));
    const failed = ends.filter(({ exitCode }) => exitCode !== 0);
    const reasons = /Another create-auth-service|has changed since the plan was made/;
    expect(failed.filter(({ stderr }) => !reasons.test(stderr))).toEqual([]);
    expect(failed.length).toBeLessThan(4);
    expect(readTree(root)).toEqual(after);
  });

  test('a file that changes between planning and writing is refused', async () => {
    const { start, root } = project.copy();
    const child = start(['upgrade'], { env: breakingAt(1, 'stop') });
    const end = ended(child);
    while (!isStopped(child.pid)) await wait(10);
    writeFiles(root, { 'src/lines.ts': 'mine\n' });
    child.kill('SIGCONT');
    const { exitCode, stderr } = await end;
    expect(exitCode).toBe(1);
    expect(stderr).toContain('src/lines.ts has changed since the plan was made.');
    expect(readTree(root)).toEqual({ ...before, 'src/lines.ts': '644 mine\n' });
  });
});

test.each(['--abort', '--continue'])(
  'kill -9 at any step of %s: the next run finishes it, in the index of git too',
  async (flag) => {
    const waiting = await conflictingProject();
    await waiting.run(['upgrade']);
    if (flag === '--continue') writeFiles(waiting.root, resolved);
    const whole = waiting.copy();
    const steps = await callsOf((env) => whole.run(['upgrade', flag], { env }));
    const look = (root: string) => [readTree(root), git(root, 'status', '--porcelain')];
    expect(git(whole.root, 'ls-files', '--unmerged')).toBe('');
    await eachStep(waiting, ['upgrade', flag], numbersOf(steps, 2), 'kill', async (broken) => {
      await waiting.run(['upgrade', flag], { cwd: broken.root });
      expect([broken.step, look(broken.root)]).toEqual([broken.step, look(whole.root)]);
    });
  },
  patience,
);

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'while git commits, %s changes nothing: it is committed and reported',
  async (signal) => {
    const { root, start } = await committedProject();
    const slow = scratchFolder();
    const stop = `case "$*" in *"commit --quiet"*) touch '${slow}/started'; sleep 0.5;; esac`;
    const script = `#!/bin/sh\n${stop}\nPATH='${cleanEnv().PATH}'\nexec git "$@"\n`;
    writeFiles(slow, { git: script });
    chmodSync(join(slow, 'git'), 0o755);
    const env = { PATH: `${slow}${delimiter}${cleanEnv().PATH}` };
    const child = start(['upgrade', '--commit'], { env });
    const end = ended(child);
    while (!existsSync(join(slow, 'started'))) await wait(5);
    child.kill(signal);
    const { exitCode, stdout } = await end;
    expect({ exitCode, status: git(root, 'status', '--porcelain') }).toEqual({
      exitCode: 0,
      status: '',
    });
    expect(stdout).toContain('Done: Upgrade from');
  },
);

function stateOf(tree: Files, states: { before: Files; after: Files }): string {
  const files = JSON.stringify(withoutWork(tree));
  if (files === JSON.stringify(states.before)) return 'before';
  return files === JSON.stringify(states.after) ? 'after' : 'between';
}

function withoutWork(tree: Files): Files {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.startsWith(work)));
}
