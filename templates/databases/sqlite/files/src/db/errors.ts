import Database from 'libsql';

const UNIQUE_VIOLATIONS = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);
const MISSING_REFERENCE = 'SQLITE_CONSTRAINT_FOREIGNKEY';
/** Another process holds the file; the disk is full, fails, may only be read, or is gone. */
const OUTAGES = /^SQLITE_(?:BUSY|FULL|IOERR|READONLY|CANTOPEN)/;

/** True if another process holds the write lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** True if a statement failed since a unique value is taken: two requests raced for the same one. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Database.SqliteError && UNIQUE_VIOLATIONS.has(error.code);
}

/** True if a statement failed since the row that it refers to is gone: another request deleted it. */
export function isMissingReference(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code === MISSING_REFERENCE;
}

/**
 * True if work was given up for the sake of other work and may be done again at once. Never on
 * SQLite: its transactions run one after the other, and have waited long enough when they fail.
 */
export function isConflict(_error: unknown): boolean {
  return false;
}

/** True if the database cannot be used now and may be later. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Database.SqliteError && OUTAGES.test(error.code);
}
