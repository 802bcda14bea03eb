/**
 * A mistake or a wish that cannot be met, told to the person who typed the command.
 * Any other error that reaches the top is a bug of this program.
 */
export class UserError extends Error {
  override name = 'UserError';

  /** @param hint what to do about it, printed below the message */
  constructor(
    message: string,
    readonly exitCode: number = 1,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** Somebody has to decide about something before the change is done. */
export const pendingExitCode = 2;

/** `diff --check` or `doctor` has found something. */
export const foundExitCode = 3;

/** 128 + the number of the signal, as shells report it. */
export const hungUpExitCode = 129;
export const interruptedExitCode = 130;
export const terminatedExitCode = 143;

/** Thrown when the person leaves at a question or presses Ctrl-C. */
export function cancelled(): UserError {
  return new UserError('Cancelled. Nothing was written.', interruptedExitCode);
}

/** The system's code of a failed call (`ENOENT`, …), if it carries one. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
