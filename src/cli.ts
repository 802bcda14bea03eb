import { CommanderError } from 'commander';
import { ownCatalog } from './catalog/own-catalog.js';
import { commandLine } from './command-line.js';
import { UserError } from './errors.js';
import { listenForInterrupts } from './interrupt.js';
import { reportError } from './report-error.js';

/** Runs the command line and sets the exit code. */
export async function main(argv: string[]): Promise<void> {
  listenForInterrupts();
  // Whoever reads may stop reading, as `head` does.
  process.stdout.on('error', () => process.exit());
  try {
    await commandLine(await ownCatalog()).parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    process.exitCode = reportError(asUserError(error), argv);
  }
}

function asUserError(error: unknown): unknown {
  if (isWithoutFolder(error)) {
    return new UserError('The current folder no longer exists.', 1, 'cd into one.');
  }
  if (!(error instanceof CommanderError)) return error;
  const [message = '', hint] = error.message.replace(/^error: /, '').split('\n');
  return new UserError(message, 1, hint ?? 'See create-auth-service --help.');
}

/** What Node says where somebody has removed the working directory. */
function isWithoutFolder(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}
