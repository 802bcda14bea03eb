import { type Expression, type RawBuilder, sql } from 'kysely';

/** An aggregate: the values of each row, an array for each, as one text of JSON. No rows are `[]`. */
export function jsonRows(values: Expression<unknown>[]): RawBuilder<string> {
  return sql<string>`coalesce(json_agg(json_build_array(${sql.join(values)})), '[]')::text`;
}
