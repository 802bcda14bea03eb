import { UserError } from '../../src/errors.js';

/** Runs a script for people: what they did wrong is told in one sentence, and the exit code is 1. */
export async function runScript(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`${[error.message, error.hint].filter(Boolean).join('\n')}\n`);
    process.exitCode = error.exitCode;
  }
}
