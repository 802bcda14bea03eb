import Database from 'libsql';

const UNIQUE_VIOLATIONS = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);

/** True if a statement failed since a unique value is taken: two requests raced for the same one. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Database.SqliteError && UNIQUE_VIOLATIONS.has(error.code);
}
