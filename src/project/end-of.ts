import type { ChildProcess } from 'node:child_process';
import { systemCode } from '../errors.js';

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
