import type { ChildProcess } from 'node:child_process';
import { systemCode } from '../errors.js';
import { spawn } from '../packages/cross-spawn.js';

/** How a program ended. */
export interface Ended {
  /** Undefined if it was not started because it is not installed. */
  exitCode: number | undefined;
  /** What it printed on both streams. */
  output: string;
  stdout: string;
  /** True if it was ended because its time was up. */
  isTimedOut: boolean;
}

/**
 * Runs a program to its end, without input. It ends when this process does.
 * @param echo also receives what is printed
 * @param seconds after which the program and all that it has started are ended
 * @throws Error if it cannot be started for a reason other than that it is not installed
 */
export async function run(
  file: string,
  args: string[],
  options: { cwd: string; echo?: NodeJS.WritableStream; seconds?: number },
): Promise<Ended> {
  const { cwd, echo, seconds } = options;
  // In a group of its own, so that what it has started ends with it.
  const isGroup = seconds !== undefined && process.platform !== 'win32';
  const child = spawn(file, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
    windowsHide: true,
  });
  if (echo) for (const stream of [child.stdout, child.stderr]) stream?.pipe(echo, { end: false });
  const stop = () => {
    try {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
    } catch (error) {
      // It has already ended, which is what is wanted.
      if (systemCode(error) !== 'ESRCH') throw error;
    }
  };
  let isTimedOut = false;
  const timer = setTimeout(
    () => {
      isTimedOut = true;
      stop();
    },
    (seconds ?? 0) * 1000,
  );
  if (seconds === undefined) clearTimeout(timer);
  const { exitCode, output, stdout } = await endOf(child, stop).finally(() => clearTimeout(timer));
  return { exitCode, output: output.toString(), stdout: stdout.toString(), isTimedOut };
}

/** How a program ended. */
export interface ProgramEnd {
  /** Undefined if it was not started because it is not installed; 1 if a signal ended it. */
  exitCode: number | undefined;
  stdout: Buffer;
  stderr: Buffer;
  /** Everything that it printed on both streams, in order. */
  output: Buffer;
}

/**
 * Waits for the end of a program and keeps what it prints. If this process ends first, so does the program.
 * @param stop ends the program
 * @throws Error if it cannot be started for a reason other than that it is not installed
 */
export async function endOf(child: ChildProcess, stop: () => void): Promise<ProgramEnd> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const output: Buffer[] = [];
  const keep = (chunks: Buffer[]) => (chunk: Buffer) => {
    chunks.push(chunk);
    output.push(chunk);
  };
  child.stdout?.on('data', keep(stdout));
  child.stderr?.on('data', keep(stderr));
  process.once('exit', stop);
  try {
    const exitCode = await new Promise<number | undefined>((resolve, reject) => {
      child.once('close', (code) => resolve(code ?? 1));
      child.once('error', (error) =>
        systemCode(error) === 'ENOENT' ? resolve(undefined) : reject(error),
      );
    });
    const whole = (chunks: Buffer[]) => Buffer.concat(chunks);
    return { exitCode, stdout: whole(stdout), stderr: whole(stderr), output: whole(output) };
  } finally {
    process.off('exit', stop);
  }
}
