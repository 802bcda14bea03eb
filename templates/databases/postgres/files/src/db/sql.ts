import {
  type Expression,
  type InsertQueryBuilder,
  type InsertResult,
  type Migration,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import type { Db } from './schema.js';

export { withoutTimeout } from './server-statements.js';

/**
 * Runs an insert; false if a unique value of the row is taken. The transaction stays usable, which it would
 * not after an error.
 */
export async function insertUnlessTaken<DB, TB extends keyof DB>(
  query: InsertQueryBuilder<DB, TB, InsertResult>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await query
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** An aggregate: JSON text with an array of values for each row; `[]` for no rows. */
export function jsonRows(values: Expression<unknown>[]): RawBuilder<string> {
  return sql<string>`coalesce(json_agg(json_build_array(${sql.join(values)})), '[]')::text`;
}

/** The text at a key of a JSON object that is stored as text. */
export function jsonText(column: Expression<string>, key: string): Expression<string | null> {
  return sql`${column}::json ->> ${key}`;
}

/** True if this service's schema has the table; another one may have it too. Kysely would list all columns of all tables. */
export async function hasTable(db: Db, name: string): Promise<boolean> {
  const found = sql`
    select 1 from pg_tables where schemaname = current_schema() and tablename = ${name}`;
  return (await found.execute(db)).rows.length > 0;
}

/** Locks the rows of a query: other transactions can neither change nor lock them until this one ends. */
export function locked<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return query.forUpdate();
}

/** The migration itself: migrations run in a transaction here, so an interrupted one leaves nothing behind. */
export function resumable(_name: string, migration: Migration): Migration {
  return migration;
}

/** Nothing: migrations keep no record of their steps here. */
export async function forgetSteps(_db: Db): Promise<void> {}
