import pg from 'pg';
import { ConnectionError } from './connection-error.js';

/** True if a statement failed because a unique value is taken. It aborts the transaction: see `insertUnlessTaken`. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, /^23505$/);
}

/** True if a statement failed because the row that it refers to is gone. It aborts the transaction. */
export function isMissingReference(error: unknown): boolean {
  return hasCode(error, /^23503$/);
}

/** True if the transaction lost a conflict (serialization, deadlock) and can be tried again at once. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, /^40(?:001|P01)$/) || isStalePlan(error);
}

/**
 * True if the database is unavailable for now: connection, resources, shutdown; read-only, such as a former primary;
 * time-outs of a lock, a statement or an idle transaction.
 */
export function isUnavailable(error: unknown): boolean {
  const isOutage = hasCode(error, /^(?:08|53|57P|25006$|55P03$|57014$|25P03$)/);
  return isOutage || error instanceof ConnectionError;
}

/** True if a prepared statement no longer fits its table: a migration ran meanwhile. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** True if the server answered a statement with an error; false if the connection failed. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError;
}

/** `codes` are those of PostgreSQL's appendix A. */
function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof pg.DatabaseError && codes.test(error.code ?? '');
}
