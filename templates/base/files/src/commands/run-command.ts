/** Writes one line to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Runs a command with the arguments of this process. A failure ends it with code 1 and its message;
 * the stack is of use to nobody at a terminal.
 */
export async function runCommand(command: (args: string[]) => Promise<void>): Promise<void> {
  // `| head` has read enough: that must not end the work half-way.
  process.stdout.on('error', () => {});
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}\n${error.cause.message}` : error.message;
}
