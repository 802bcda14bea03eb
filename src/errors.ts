/**
 * A mistake, or a request that cannot be met, reported to the person who typed the command.
 * Any other error that reaches the top is a bug of this program.
 */
export class UserError extends Error {
  override name = 'UserError';

  /** @param hint what to do about it, printed below the message */
  constructor(
    message: string,
    readonly hint?: string,
    readonly exitCode: number = 1,
  ) {
    super(message);
  }
}

/** Somebody has to decide something before the change is done. */
export const pendingExitCode = 2;

/** `diff --check` or `doctor` has found something. */
export const foundExitCode = 3;

const listedPaths = 10;

/** The first of the paths, one per line, for a message. */
export function listed(paths: string[]): string {
  const more = paths.length - listedPaths;
  const lines = [...paths.slice(0, listedPaths), ...(more > 0 ? [`and ${more} more`] : [])];
  return lines.map((line) => `  ${line}`).join('\n');
}

/** Thrown when the person leaves at a question; the exit code is that of Ctrl-C. */
export function cancelled(): UserError {
  return new UserError('Cancelled. Nothing was written.', undefined, 130);
}

/** The system's code (`ENOENT`, …) of an error, if it has one. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** The result of the work; `otherwise` if the system refuses it with one of these codes. */
export function unlessRefused<Result, Otherwise>(
  codes: string[],
  otherwise: Otherwise,
  work: () => Result,
): Result | Otherwise {
  try {
    return work();
  } catch (error) {
    if (codes.includes(systemCode(error) ?? '')) return otherwise;
    throw error;
  }
}

/** What to do where the system refuses to write, by its code. */
const remedies: Record<string, string> = {
  EACCES: 'Choose a folder that you can write to, or ask its owner for permission.',
  EDQUOT: 'Your quota is used up: make room, or choose a folder on another disk.',
  ENOSPC: 'The disk is full: make room, or choose a folder on another disk.',
  EROFS: 'That file system is read-only: choose a folder elsewhere.',
};

/** @param code the system's code, such as `EACCES` */
export function unwritable(path: string, code: string): UserError {
  const remedy = remedies[code === 'EPERM' ? 'EACCES' : code];
  return new UserError(`${path} could not be written (${code}). Nothing was changed.`, remedy);
}
