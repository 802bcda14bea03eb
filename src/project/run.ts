import { unlessRefused } from '../errors.js';
import { execa } from '../packages/execa.js';

export interface Ended {
  /** Undefined if it was not started because it is not installed; 1 if a signal ended it. */
  exitCode: number | undefined;
  stdout: Buffer;
  stderr: string;
  /** What it printed on both streams, in order. */
  output: string;
  /** True if it was ended because its time was up. */
  isTimedOut: boolean;
}

interface RunOptions {
  cwd: string;
  /** Joins the environment of this process; what is undefined is taken out of it. */
  env?: NodeJS.ProcessEnv;
  input?: string | Buffer;
  /** Also receives what is printed. */
  echo?: NodeJS.WritableStream | undefined;
  /** After this time the program and all that it has started are ended. */
  seconds?: number;
}

/**
 * Runs a program to its end. It ends when this process does.
 * @throws Error if it cannot be started for a reason other than that it is not installed
 */
export async function run(
  file: string,
  args: string[],
  { cwd, env = {}, input = '', echo, seconds }: RunOptions,
): Promise<Ended> {
  // In a group of its own, so that what it has started ends with it.
  const isGroup = seconds !== undefined && process.platform !== 'win32';
  const child = execa(file, args, {
    cwd,
    env,
    input,
    all: true,
    encoding: 'buffer',
    stripFinalNewline: false,
    reject: false,
    detached: isGroup,
  });
  if (echo) child.all.pipe(echo, { end: false });
  const stop = () => {
    // It may have ended already.
    unlessRefused(['ESRCH'], undefined, () => {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
    });
  };
  let isTimedOut = false;
  const timeOut = () => {
    isTimedOut = true;
    stop();
  };
  const timer = seconds === undefined ? undefined : setTimeout(timeOut, seconds * 1000);
  process.once('exit', stop);
  const ended = await child;
  clearTimeout(timer);
  process.off('exit', stop);
  const isStarted = ended.code === undefined;
  if (!isStarted && ended.code !== 'ENOENT') throw ended;
  const textOf = (printed: Uint8Array | undefined) => Buffer.from(printed ?? []);
  return {
    exitCode: isStarted ? (ended.exitCode ?? 1) : undefined,
    stdout: textOf(ended.stdout),
    stderr: textOf(ended.stderr).toString(),
    output: textOf(ended.all).toString(),
    isTimedOut,
  };
}
