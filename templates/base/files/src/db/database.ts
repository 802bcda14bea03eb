import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { Counter, LimiterOptions } from './rate-limits.js';
import type { Db } from './schema.js';

export interface OpenDatabase {
  db: Db;
  /** A counter that every instance on this database shares. */
  createLimiter(options: LimiterOptions): Counter;
}

export type Run = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>;

/** Runs every statement of a connection through what `wrap` returns, after checking its values. */
export function wrapStatements(connection: DatabaseConnection, wrap: (run: Run) => Run): void {
  const run = wrap(connection.executeQuery.bind(connection));
  connection.executeQuery = async (query) => {
    for (const value of query.parameters) requireStorable(value);
    return run(query);
  };
}

/**
 * Throws for a value that some driver would not store as it is: undefined and NaN become null, an
 * object may become SQL, and text is cut at its first NUL, so that one address could pass for another.
 */
function requireStorable(value: unknown): void {
  if (value === null || value instanceof Uint8Array) return;
  if (typeof value === 'string' && !value.includes('\0')) return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value === 'bigint' || typeof value === 'boolean') return;
  throw new TypeError(`The database cannot store this ${typeof value}.`);
}
