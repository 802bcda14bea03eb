import type { SelectQueryBuilder } from 'kysely';

/**
 * The rows of a query, which other transactions can neither change nor lock until this one ends.
 * SQLite runs one writing transaction at a time: within it every row is the caller's.
 */
export function locked<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return query;
}

/** As `locked`, but rows that another transaction holds are left out instead of waited for. */
export function lockedUnlessHeld<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return query;
}
