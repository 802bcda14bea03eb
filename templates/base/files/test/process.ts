import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import type { TestProject } from 'vitest/node';
import { emptyDatabase } from './database.js';
import { DEFAULTS } from './service.js';

const BUILT = fileURLToPath(new URL('../dist', import.meta.url));

/** Builds the service before the tests and, while they are watched, before each run: a start from source takes longer. */
export async function setup(project: TestProject): Promise<void> {
  const command = ['--import', 'tsx', 'esbuild.config.ts'];
  const build = () => promisify(execFile)(process.execPath, command);
  await build();
  project.onTestsRerun(async () => void (await build()));
}

export interface ServiceProcess {
  child: ChildProcess;
  /** All that it has written so far, to both outputs. */
  output(): string;
  /** The exit code, once it has ended. */
  ended: Promise<number | null>;
  /** The URL of the ready line. */
  ready(): Promise<string>;
}

/**
 * Starts the built service, or Node with `args`, as a separate process. Its environment is `environment` over the defaults
 * of tests and nothing else; an empty value removes a default.
 */
export async function startProcess(
  environment: Record<string, string> = {},
  args = [join(BUILT, 'main.js')],
): Promise<ServiceProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-'));
  const database = await emptyDatabase(folder);
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...DEFAULTS, LOG_LEVEL: 'info', ...database.environment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  }
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await database.release();
    await rm(folder, { recursive: true, force: true });
  });
  const output = () => chunks.join('');

  async function ready(): Promise<string> {
    for (;;) {
      const url = /ready at (http:\/\/[\w.:]+)/.exec(output())?.[1];
      if (url) return url;
      if (child.exitCode !== null) throw new Error(`It has ended:\n${output()}`);
      await Promise.race([once(child.stdout, 'data'), ended]);
    }
  }

  return { child, output, ended, ready };
}

/** `npm run <name> -- …` on the service's database, with `input` on standard input. */
export function runCommand(
  { environment }: { environment: Record<string, string> },
  name: string,
  args: string[],
  input = '',
): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = [join(BUILT, `${name}.js`), ...args];
  return new Promise((resolve) => {
    // In another folder, so that your `.env` has no effect.
    const surroundings = { cwd: tmpdir(), env: environment };
    const child = execFile(process.execPath, command, surroundings, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}
