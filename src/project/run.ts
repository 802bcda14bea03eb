import { systemCode } from '../errors.js';
import { spawn } from '../packages/cross-spawn.js';
import { endOf } from './end-of.js';

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
