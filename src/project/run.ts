import { type ChildProcess, spawn } from 'node:child_process';
import { systemCode } from '../errors.js';

/** How a program ended. */
export interface Ended {
  /** Undefined if it was never started: it is not installed. */
  exitCode: number | undefined;
  /** What it printed on both streams. */
  output: string;
  stdout: string;
  /** True if it was ended because its time was over. */
  isTimedOut: boolean;
}

/**
 * Runs a program to its end, without input. It ends when this process does.
 * @param echo also gets what is printed
 * @param seconds after which it is ended with all that it has started
 * @throws Error if it cannot be started for another reason than that it is not there
 */
export function run(
  file: string,
  args: string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv; echo?: NodeJS.WritableStream; seconds?: number },
): Promise<Ended> {
  const { cwd, env, echo, seconds } = options;
  // Package managers are scripts on Windows, which only its shell can start; it is not given any user's text.
  const shell = process.platform === 'win32' && file !== 'git';
  // In a group of its own, so that what it has started ends with it.
  const detached = seconds !== undefined && process.platform !== 'win32';
  const child = spawn(file, args, { cwd, env, shell, detached, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => (detached ? endGroup(child) : void child.kill());
  process.once('exit', stop);
  const printed: Buffer[] = [];
  const onStdout: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => onStdout.push(chunk));
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed.push(chunk);
      echo?.write(chunk);
    });
  }
  return new Promise((resolve, reject) => {
    const end = (exitCode: number | undefined, isTimedOut = false) => {
      clearTimeout(timer);
      process.off('exit', stop);
      const [output, stdout] = [printed, onStdout].map((all) => Buffer.concat(all).toString());
      resolve({ exitCode, output: output ?? '', stdout: stdout ?? '', isTimedOut });
    };
    const giveUp = () => {
      stop();
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      end(1, true);
    };
    const timer = seconds === undefined ? undefined : setTimeout(giveUp, seconds * 1000);
    child.once('error', (error) =>
      systemCode(error) === 'ENOENT' ? end(undefined) : reject(error),
    );
    child.once('close', (exitCode) => end(exitCode ?? 1));
  });
}

/** Ends a child that leads a group, and the group. One that has ended meanwhile is what is wanted. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}
