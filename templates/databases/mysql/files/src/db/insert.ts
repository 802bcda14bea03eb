import type { InsertQueryBuilder, InsertResult } from 'kysely';
import { isUniqueViolation } from './errors.js';

/**
 * Runs an insert; false if a unique value of the row is taken, and nothing happened. A transaction
 * goes on either way. Not `insert ignore`: that would also swallow a text that is too long.
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
