import { type ForeignKeyConstraintBuilder, sql } from 'kysely';

/**
 * The column types of the migrations, as PostgreSQL has them. Migrations name no type themselves, so
 * that they are the same for every database. Text compares byte by byte (collation C) whatever the
 * database's default is: equality, uniqueness and order must not depend on the server.
 */

/** A UUID, as text: a look-up by other text finds nothing instead of failing. */
export const idColumn = sql`varchar(36) collate "C"`;

/** ms since the epoch. */
export const timeColumn = 'bigint';

/** Text of any length. */
export const longTextColumn = sql`text collate "C"`;

/** Text of at most `length` characters, for what is unique or indexed. */
export function textColumn(length: number) {
  return sql`varchar(${sql.lit(length)}) collate "C"`;
}

/** Rows are deleted with the row that they refer to. */
export const cascade = (key: ForeignKeyConstraintBuilder) => key.onDelete('cascade');
