import { ConnectionError } from './connection-error.js';

const UNIQUE_VIOLATION = 1062;
const MISSING_REFERENCE = 1452;
/** Deadlock, lock wait, changed since it was read, table changed, statement to be prepared anew. */
const CONFLICTS = new Set([1213, 1205, 1020, 1412, 1615]);
/**
 * Too many connections, of the server or the user; shutdown; killed or stopped after its time limit;
 * read-only, as a former primary becomes; out of disk or memory.
 */
const OUTAGES = new Set([
  1040, 1203, 1226, 1053, 1317, 1927, 1969, 3024, 1290, 1792, 1836, 1021, 1114, 1037, 1041,
]);

/**
 * What a change of tables that has happened answers to a second one: table, column, index, primary key or
 * constraint is there, or is not there any more.
 */
const ALREADY_SO = new Set([1050, 1060, 1061, 1068, 1826, 1051, 1054, 1091, 1146]);

/** True if a statement failed since a unique value is taken: two requests raced for the same one. */
export function isUniqueViolation(error: unknown): boolean {
  return numberOf(error) === UNIQUE_VIOLATION;
}

/** True if a statement failed since the row that it refers to is gone: another request deleted it. */
export function isMissingReference(error: unknown): boolean {
  return numberOf(error) === MISSING_REFERENCE;
}

/** True if work was given up for the sake of other work and may be done again at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(numberOf(error) ?? 0);
}

/** True if a change of tables failed since it has happened before; only for one that may have. */
export function isAlreadySo(error: unknown): boolean {
  if (ALREADY_SO.has(numberOf(error) ?? 0)) return true;
  // MariaDB's answer to a foreign key that is there.
  return numberOf(error) === 1005 && String(error).includes('errno: 121');
}

/** True if the database cannot be used now and may be later. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ConnectionError || OUTAGES.has(numberOf(error) ?? 0);
}

/** True if the server refused a statement; false if it was not even asked, or cannot be any more. */
export function isRefusal(error: unknown): boolean {
  return numberOf(error) !== undefined;
}

/** The server's error number: errors of the driver and the network have no SQL state. */
function numberOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('sqlState' in error) || !('errno' in error)) return undefined;
  return typeof error.errno === 'number' ? error.errno : undefined;
}
