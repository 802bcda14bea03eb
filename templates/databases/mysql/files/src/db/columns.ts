import { type ForeignKeyConstraintBuilder, sql } from 'kysely';

/**
 * The column types of the migrations, as MySQL and MariaDB have them. Migrations name no type
 * themselves, so that they are the same for every database.
 *
 * Text compares byte by byte. By default `José` equals `jose`, and `a` equals `a` with a trailing blank, so
 * one address or role could pass for another. The exact collation has a different name in MySQL and
 * MariaDB, so each reads the comment meant for it.
 */
const exactText = sql.raw(
  'character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M!100600 collate utf8mb4_nopad_bin */',
);

/** A UUID, as text: a look-up by other text finds nothing instead of failing. */
export const idColumn = sql`varchar(36) ${exactText}`;

/** ms since the epoch. */
export const timeColumn = 'bigint';

/** Text of any length. */
export const longTextColumn = sql`longtext ${exactText}`;

/** Text of at most `length` characters, for what is unique or indexed. */
export function textColumn(length: number) {
  return sql`varchar(${sql.lit(length)}) ${exactText}`;
}

/** Rows are deleted with the row that they refer to. */
export const cascade = (key: ForeignKeyConstraintBuilder) => key.onDelete('cascade');
