import { interruptedExitCode, terminatedExitCode } from './errors.js';

type Undo = (exitCode: number) => void;

const undos: Undo[] = [];

/** From now on Ctrl-C and `kill` undo what is under way, last first, and end the process with 130 or 143. */
export function listenForInterrupts(): void {
  process.once('SIGINT', () => leave(interruptedExitCode));
  process.once('SIGTERM', () => leave(terminatedExitCode));
}

/** Does the work; `undo` runs if a signal ends the process meanwhile. It must be synchronous: nothing is awaited then. */
export async function interruptible<Result>(
  undo: Undo,
  work: () => Promise<Result>,
): Promise<Result> {
  undos.push(undo);
  try {
    return await work();
  } finally {
    undos.splice(undos.indexOf(undo), 1);
  }
}

function leave(exitCode: number): never {
  for (const undo of undos.reverse()) undo(exitCode);
  process.exit(exitCode);
}
