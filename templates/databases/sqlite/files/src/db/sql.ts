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

/** Runs an insert; false if a unique value of the row is taken. The transaction stays usable. */
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
  return sql<string>`json_group_array(json_array(${sql.join(values)}))`;
}

/** The text at a key of a JSON object that is stored as text. */
export function jsonText(column: Expression<string>, key: string): Expression<string | null> {
  return sql`json_extract(${column}, ${`$.${key}`})`;
}

/** True if there is such a table. */
export async function hasTable(db: Db, name: string): Promise<boolean> {
  const found = sql`select 1 from sqlite_master where type = 'table' and name = ${name}`;
  return (await found.execute(db)).rows.length > 0;
}

/**
 * Locks the rows of a query until the end of the transaction. SQLite runs one writing transaction at a
 * time, so all rows are locked already.
 */
export function locked<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return query;
}

/** The migration itself: migrations run in a transaction here, so an interrupted one leaves nothing behind. */
export function resumable(_name: string, migration: Migration): Migration {
  return migration;
}

/** Nothing: migrations keep no record of their steps here. */
export async function forgetSteps(_db: Db): Promise<void> {}

/** The database itself: no statement is given up here, however long it takes. */
export function withoutTimeout(db: Db): Db {
  return db;
}
