import { ConnectionError } from './connection-error.js';

/**
 * Too many connections, of the server or the user; shutdown; statement killed or timed out; read-only, such
 * as a former primary; out of disk or memory.
 */
const OUTAGE = [
  1040, 1203, 1226, 1053, 1317, 1927, 1969, 3024, 1290, 1792, 1836, 1021, 1114, 1037, 1041,
];
/**
 * Errors of a migration's statement that has run before: the table, column, index, key, constraint
 * or row already exists, or is already gone. 1005 is MariaDB's error for a foreign key.
 */
const ALREADY_SO = [1050, 1060, 1061, 1062, 1068, 1826, 1051, 1054, 1091, 1146, 1005];

/** True if a statement failed because a unique value is taken: two requests raced for the same one. */
export function isUniqueViolation(error: unknown): boolean {
  return hasNumber(error, [1062]);
}

/** True if a statement failed because the row that it refers to is gone: another request deleted it. */
export function isMissingReference(error: unknown): boolean {
  return hasNumber(error, [1452]);
}

/**
 * True if the transaction lost a conflict and can be tried again at once: deadlock, lock wait timeout, row changed
 * since it was read, table definition changed.
 */
export function isConflict(error: unknown): boolean {
  return hasNumber(error, [1213, 1205, 1020, 1412]);
}

/** True if the database is unavailable for now. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ConnectionError || hasNumber(error, OUTAGE);
}

/** True if a statement of a migration failed because it has run before. */
export function isAlreadySo(error: unknown): boolean {
  return hasNumber(error, ALREADY_SO);
}

/** True if the server answered a statement with an error; false if the connection failed. */
export function isRefusal(error: unknown): boolean {
  return numberOf(error) !== undefined;
}

function hasNumber(error: unknown, numbers: number[]): boolean {
  return numbers.includes(numberOf(error) ?? 0);
}

/** The server's error number; undefined for errors of the driver and the network, which have no SQL state. */
function numberOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('sqlState' in error) || !('errno' in error)) return undefined;
  return typeof error.errno === 'number' ? error.errno : undefined;
}
