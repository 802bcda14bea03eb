import type { Document } from './documents.js';
import { UserError } from './errors.js';

const issuesPage = 'https://www.npmjs.com/package/create-auth-service';

/**
 * Prints an error for people on stderr, and with `--json` as a document on stdout.
 * @returns the exit code: the error's own, or 1 for a bug
 */
export function reportError(error: unknown, argv: readonly string[]): number {
  if (argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify(errorDocument(error), null, 2)}\n`);
  }
  process.stderr.write(`${errorText(error, argv.includes('--verbose'))}\n`);
  return error instanceof UserError ? error.exitCode : 1;
}

function errorText(error: unknown, isVerbose: boolean): string {
  if (error instanceof UserError) return [error.message, error.hint].filter(Boolean).join('\n');
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return [
    `Unexpected error: ${message}`,
    `This is a bug in create-auth-service, please report it: ${issuesPage}`,
    isVerbose ? stack : 'Use --verbose to see its stack trace.',
  ].join('\n');
}

function errorDocument(error: unknown): Document<'error'> {
  if (error instanceof UserError) return { error: { message: error.message, hint: error.hint } };
  return { error: { message: error instanceof Error ? error.message : String(error), bug: true } };
}
