import {
  type Expression,
  type InsertQueryBuilder,
  type InsertResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import { isUniqueViolation } from './errors.js';

export { resumable } from './resumable.js';

/**
 * Runs an insert; false if a unique value of the row is taken. The transaction stays usable. Not `insert
 * ignore`, which would also truncate a text that is too long.
 */
export async function insertUnlessTaken<DB, TB extends keyof DB>(
  query: InsertQueryBuilder<DB, TB, InsertResult>,
): Promise<boolean> {
  try {
    await query.execute();
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/**
 * An aggregate: JSON text with an array of values for each row; `[]` for no rows. Cast to text, because the
 * driver would parse MySQL's JSON type, which MariaDB lacks.
 */
export function jsonRows(values: Expression<unknown>[]): RawBuilder<string> {
  return sql<string>`cast(coalesce(json_arrayagg(json_array(${sql.join(values)})), '[]') as char)`;
}

/** Locks the rows of a query: other transactions can neither change nor lock them until this one ends. */
export function locked<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return query.forUpdate();
}

/** Like `locked`, but skips rows that another transaction has locked. */
export function lockedUnlessHeld<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return query.forUpdate().skipLocked();
}
