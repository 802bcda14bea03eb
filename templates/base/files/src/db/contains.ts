import { type Expression, type SqlBool, sql } from 'kysely';

/**
 * Whether a column contains a text, whatever its case, alike on every database. What `like` would
 * take for a wildcard stands for itself.
 */
export function contains(column: Expression<string | null>, text: string): Expression<SqlBool> {
  const pattern = `%${text.toLowerCase().replace(/[!%_]/g, '!$&')}%`;
  return sql<SqlBool>`lower(${column}) like ${pattern} escape '!'`;
}
