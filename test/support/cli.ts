import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { commandFile } from '../../scripts/matrix/child.js';
import { checkJsonOutput } from './json-output.js';

/** How the command ended. */
export interface Ended {
  /** Null if a signal ended it. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd: string;
  bin?: string;
  /** The Node that runs it; the one of the tests by default. */
  node?: string;
  /** The content of stdin; empty by default. */
  input?: string;
  env?: Record<string, string>;
}

/** A folder for one test, removed when it passes. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'create-auth-service-test-'));
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') console.error(`kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Runs the command without a terminal. Its output with `--json` is checked against the schema. */
export async function runCli(args: string[], options: CliOptions): Promise<Ended> {
  const end = await ended(startCli(args, options));
  if (args.includes('--json') && end.stdout !== '') await checkJsonOutput(args, end.stdout);
  return end;
}

export function startCli(args: string[], options: CliOptions): ChildProcess {
  const { cwd, bin = commandFile, node = process.execPath, input = '', env = {} } = options;
  const child = spawn(node, [bin, ...args], { cwd, env: { ...cleanEnv(), ...env } });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return child;
}

export function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve) => {
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

/** This process's environment without what npm, git and the test runner have put there. */
export function cleanEnv(): Record<string, string> {
  const foreign = /^(npm_|GIT_|VITEST|NODE_ENV|NODE_OPTIONS|FORCE_COLOR|NO_COLOR|CI$)/i;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']));
}
