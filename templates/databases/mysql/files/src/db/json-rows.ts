import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * An aggregate: the values of each row, an array for each, as one text of JSON. No rows are `[]`.
 * A text, since MySQL has a type for JSON, which the driver would parse, and MariaDB has none.
 */
export function jsonRows(values: Expression<unknown>[]): RawBuilder<string> {
  return sql<string>`cast(coalesce(json_arrayagg(json_array(${sql.join(values)})), '[]') as char)`;
}
