/**
 * The server was not reached, or the connection was lost. What the statement did is unknown. The
 * message says why, for operators; drivers put no credentials into theirs.
 */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super(`The database does not answer: ${reasonOf(cause)}`, { cause });
    this.name = 'ConnectionError';
  }
}

/** A name with several addresses fails with one error for each. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}
