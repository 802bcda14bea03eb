import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withMarkedPart } from '../scripts/marked-part.js';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { type Break, breakingAt, callsOf } from './support/broken-run.js';
import { cleanEnv, ended, scratchFolder } from './support/cli.js';
import { readFiles, readTree, writeFiles } from './support/files.js';
import { openScreen } from './support/pty.js';
import { smallWorld } from './support/small-world.js';
import { upgradableProject } from './support/upgradable.js';

/**
 * The table of docs/interruptions.md: each moment of a run × each signal, really sent. `npm run interruptions` writes the
 * results; otherwise this test compares them with the page.
 */
const signals = {
  SIGINT: 'interrupt',
  SIGTERM: 'terminate',
  SIGHUP: 'hangUp',
  SIGKILL: 'kill',
} as const;
type Signal = keyof typeof signals;

/** The outcome of one run: its exit code, and the state of the folder in words. */
interface Left {
  exitCode: number | null;
  state: string;
}

const page = join(repositoryFolder, 'docs/interruptions.md');
const args = ['made', '--yes', '--package-manager', 'npm'];

const creating: Record<string, (signal: Signal) => Promise<Left>> = {
  async 'asking questions'(signal) {
    const { cwd, bin } = smallWorld();
    const screen = openScreen(['made'], { cwd, bin });
    await screen.until(() => screen.text().includes('Which HTTP framework?'), 'a question');
    screen.kill(signal);
    const exitCode = await screen.exitCode;
    return { exitCode: signal === 'SIGKILL' ? null : exitCode, state: createdIn(cwd) };
  },
  planning: (signal) => createBreaking(signal, () => 0),
  'writing files': (signal) =>
    createBreaking(signal, (calls) => Math.floor(calls.lastIndexOf('writeFileSync') / 2)),
  'moving the folder into place': (signal) =>
    createBreaking(signal, (calls) => calls.lastIndexOf('renameSync') + 1),
  installing: (signal) => createUntil(signal, 'npm', 'mkdir node_modules; touch started', []),
  'git commit': (signal) =>
    createUntil(
      signal,
      'git',
      'case "$*" in *"commit --quiet"*) touch started;; *) exec GIT "$@";; esac',
      ['--no-install'],
    ),
};

const upgrading: Record<string, (steps: string[]) => number> = {
  planning: () => 0,
  'writing new texts beside the old ones': (steps) => steps.lastIndexOf('writeFileSync') + 1,
  'moving files into place': (steps) => steps.lastIndexOf('renameSync') - 1,
  'verifying what was written': (steps) => steps.lastIndexOf('renameSync') + 2,
};

/** Stops a creation at a call that changes the disk. */
async function createBreaking(signal: Signal, step: (calls: string[]) => number): Promise<Left> {
  const whole = smallWorld();
  const calls = await callsOf((env) => whole.create(['made'], { env }));
  const { cwd, create } = smallWorld();
  const { exitCode } = await create(['made'], { env: breakingAt(step(calls), signals[signal]) });
  const state = createdIn(cwd);
  const again = await create(['made']);
  if (state !== 'the project') expect(again).toMatchObject({ exitCode: 0 });
  expect(readdirSync(cwd)).toEqual(['made']);
  return { exitCode, state };
}

/** Stops a creation while a program that it has started runs: that program runs the script, and then waits. */
async function createUntil(
  signal: Signal,
  program: string,
  script: string,
  flags: string[],
): Promise<Left> {
  const { cwd, start } = smallWorld();
  const path = cleanEnv().PATH ?? '';
  const real = execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
  const folder = scratchFolder();
  const text = `#!/bin/sh\n${script.replace('GIT', real)}\nexec sleep 60\n`;
  writeFiles(folder, {
    [program]: text,
    gitconfig: '[user]\n name = Me\n email = me@example.com\n',
  });
  chmodSync(join(folder, program), 0o755);
  const env = {
    PATH: `${folder}${delimiter}${path}`,
    GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
  };
  const child = start([...args, ...flags], { env });
  const end = ended(child);
  while (!existsSync(join(cwd, 'made/started'))) await wait(5);
  child.kill(signal);
  const { exitCode, stderr } = await end;
  if (exitCode !== null) {
    expect(stderr).toContain('Interrupted. The project is there, its ');
    expect(stderr).toMatch(/^ {2}(git init && )?git add --all && git commit -m /m);
  }
  return { exitCode, state: createdIn(cwd) };
}

/** What a creation has left behind, in words. */
function createdIn(cwd: string): string {
  const names = readdirSync(cwd);
  if (names.length === 0) return 'nothing';
  if (names.every((name) => name.startsWith('.made.create-auth-service-'))) {
    return 'a temporary folder, which the next run removes';
  }
  expect(names).toEqual(['made']);
  const files = Object.keys(readFiles(join(cwd, 'made')));
  expect(files).toContain('.create-auth-service/manifest.json');
  const made = readdirSync(join(cwd, 'made'));
  const parts = [
    ...(made.includes('node_modules') ? ['dependencies half installed'] : []),
    ...(made.includes('.git') ? ['a repository without a commit'] : []),
  ];
  return ['the project', ...parts].join(', ');
}

/** Stops an upgrade at a step, and checks whether the next one completes. */
async function upgradeBreaking(how: Break, moment: (steps: string[]) => number): Promise<Left> {
  const project = await upgradableProject();
  const before = readTree(project.root);
  const done = project.copy();
  const steps = await callsOf((env) => done.run(['upgrade'], { env }));
  const after = readTree(done.root);
  const { exitCode } = await project.run(['upgrade'], { env: breakingAt(moment(steps), how) });
  const state = stateOf(readTree(project.root), before, after);
  expect(await project.run(['upgrade'])).toMatchObject({ exitCode: 0 });
  expect(readTree(project.root)).toEqual(after);
  return { exitCode, state };
}

function stateOf(tree: object, before: object, after: object): string {
  const text = JSON.stringify(tree);
  if (text === JSON.stringify(before)) return 'as before';
  if (text === JSON.stringify(after)) return 'upgraded';
  return 'half-way, which the next run puts back';
}

async function rowsOf(
  command: string,
  moments: string[],
  look: (moment: string, signal: Signal) => Promise<Left>,
): Promise<string[]> {
  const rows: string[] = [];
  for (const moment of moments) {
    const cells: string[] = [];
    for (const signal of Object.keys(signals) as Signal[]) {
      const { exitCode, state } = await look(moment, signal);
      cells.push(`${exitCode ?? 'killed'}: ${state}`);
    }
    rows.push(`| ${command} | ${moment} | ${cells.join(' | ')} |`);
  }
  return rows;
}

test.skipIf(process.platform === 'win32')('docs/interruptions.md says what happens', async () => {
  const rows = [
    ...(await rowsOf('create', Object.keys(creating), (moment, signal) => {
      const run = creating[moment];
      if (!run) throw new Error(`no moment ${moment}`);
      return run(signal);
    })),
    ...(await rowsOf('upgrade', Object.keys(upgrading), (moment, signal) => {
      const step = upgrading[moment];
      if (!step) throw new Error(`no moment ${moment}`);
      return upgradeBreaking(signals[signal], step);
    })),
  ];
  const head = [
    '| command | while | SIGINT (Ctrl-C) | SIGTERM | SIGHUP | SIGKILL |',
    '|---|---|---|---|---|---|',
  ];
  const table = [...head, ...rows].join('\n');
  const text = withMarkedPart(readFileSync(page, 'utf8'), 'interruptions', table);
  await expect(text).toMatchFileSnapshot(page);
});
