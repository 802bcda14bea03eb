import type { ForeignKeyConstraintBuilder } from 'kysely';

/**
 * The column types of the migrations, as SQLite has them. Migrations name no type themselves, so
 * that they are the same for every database.
 */

/** A UUID. */
export const idColumn = 'text';

/** ms since the epoch. */
export const timeColumn = 'integer';

/** Text of any length. */
export const longTextColumn = 'text';

/** Text of at most `length` characters, for what is unique or indexed. SQLite ignores lengths. */
export function textColumn(_length: number) {
  return 'text' as const;
}

/** Rows are deleted with the row that they refer to. */
export const cascade = (key: ForeignKeyConstraintBuilder) => key.onDelete('cascade');
