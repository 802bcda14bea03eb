import pg from 'pg';
import { ConnectionError } from './connection-error.js';

/** Codes of PostgreSQL's appendix A. */
const UNIQUE_VIOLATION = '23505';
const MISSING_REFERENCE = '23503';
/** A lost serialization, a deadlock. */
const CONFLICTS = new Set(['40001', '40P01']);
/** Waited too long: for a lock, for a statement, inside a transaction. */
const TIMEOUTS = new Set(['55P03', '57014', '25P03']);
/** Connection, resources, shutdown, and read-only, as a former primary becomes: by the first characters. */
const OUTAGES = /^(?:08|53|57P|25006)/;

/** True if a statement failed since a unique value is taken. Its transaction is lost: see `insertUnlessTaken`. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
}

/** True if a statement failed since the row that it refers to is gone. Its transaction is lost. */
export function isMissingReference(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === MISSING_REFERENCE;
}

/** True if work was given up for the sake of other work and may be done again at once. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return CONFLICTS.has(error.code ?? '') || isStalePlan(error);
}

/** True if the database cannot be used now and may be later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return error instanceof ConnectionError;
  const code = error.code ?? '';
  return TIMEOUTS.has(code) || OUTAGES.test(code);
}

/** True if a prepared statement does not fit its table any more: a migration ran while we were up. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}
