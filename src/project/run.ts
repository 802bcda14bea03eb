import { spawn } from 'node:child_process';
import { systemCode } from '../errors.js';

/** How a program ended. */
export interface Ended {
  /** Undefined if it was never started: it is not installed. */
  exitCode: number | undefined;
  /** What it printed on both streams. */
  output: string;
  stdout: string;
}

/**
 * Runs a program to its end, without input. It ends when this process does.
 * @param echo also gets what is printed
 * @throws Error if it cannot be started for another reason than that it is not there
 */
export function run(
  file: string,
  args: string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv; echo?: NodeJS.WritableStream },
): Promise<Ended> {
  const { cwd, env, echo } = options;
  // Package managers are scripts on Windows, which only its shell can start; it is not given any user's text.
  const shell = process.platform === 'win32' && file !== 'git';
  const child = spawn(file, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => void child.kill();
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
    const end = (exitCode: number | undefined) => {
      process.off('exit', stop);
      const [output, stdout] = [printed, onStdout].map((all) => Buffer.concat(all).toString());
      resolve({ exitCode, output: output ?? '', stdout: stdout ?? '' });
    };
    child.once('error', (error) =>
      systemCode(error) === 'ENOENT' ? end(undefined) : reject(error),
    );
    child.once('close', (exitCode) => end(exitCode ?? 1));
  });
}
