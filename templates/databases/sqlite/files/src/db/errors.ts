import Database from 'libsql';

/** True if a statement failed because a unique value is taken: two requests raced for the same one. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, /^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)$/);
}

/** True if a statement failed because the row that it refers to is gone: another request deleted it. */
export function isMissingReference(error: unknown): boolean {
  return hasCode(error, /^SQLITE_CONSTRAINT_FOREIGNKEY$/);
}

/**
 * True if the transaction lost a conflict and can be tried again at once. Never on SQLite: transactions run
 * one after the other, and have waited long enough when they fail.
 */
export function isConflict(_error: unknown): boolean {
  return false;
}

/** True if the file is locked by another process, or the disk is full, fails, is read-only, or is gone. */
export function isUnavailable(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(?:BUSY|FULL|IOERR|READONLY|CANTOPEN)/);
}

/** True if another process holds the write lock. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, /^SQLITE_BUSY/);
}

function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof Database.SqliteError && codes.test(error.code);
}
