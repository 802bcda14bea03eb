import Database from 'libsql';

const UNIQUE_VIOLATION = /^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)$/;
const MISSING_REFERENCE = /^SQLITE_CONSTRAINT_FOREIGNKEY$/;
const BUSY = /^SQLITE_BUSY/;
/** Locked by another process; the disk is full, fails, is read-only, or is gone. */
const OUTAGE = /^SQLITE_(?:BUSY|FULL|IOERR|READONLY|CANTOPEN)/;

/** True if a statement failed because a unique value is taken: two requests raced for the same one. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, UNIQUE_VIOLATION);
}

/** True if a statement failed because the row that it refers to is gone: another request deleted it. */
export function isMissingReference(error: unknown): boolean {
  return hasCode(error, MISSING_REFERENCE);
}

/**
 * True if the transaction lost a conflict and can be tried again at once. Never on SQLite: transactions run
 * one after the other, and have waited long enough when they fail.
 */
export function isConflict(_error: unknown): boolean {
  return false;
}

/** True if the database is unavailable for now. */
export function isUnavailable(error: unknown): boolean {
  return hasCode(error, OUTAGE);
}

/** True if another process holds the write lock. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, BUSY);
}

function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof Database.SqliteError && codes.test(error.code);
}
