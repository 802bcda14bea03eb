import type { InsertQueryBuilder, InsertResult } from 'kysely';

/**
 * Runs an insert; false if a unique value of the row is taken, and nothing happened. A transaction
 * goes on either way, which it would not after an error.
 */
export async function insertUnlessTaken<DB, TB extends keyof DB>(
  query: InsertQueryBuilder<DB, TB, InsertResult>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await query
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
