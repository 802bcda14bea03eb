import type { SelectQueryBuilder } from 'kysely';

/** The rows of a query, which other transactions can neither change nor lock until this one ends. */
export function locked<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return query.forUpdate();
}

/** As `locked`, but rows that another transaction holds are left out instead of waited for. */
export function lockedUnlessHeld<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return query.forUpdate().skipLocked();
}
