import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { Counter, LimiterOptions } from './rate-limits.js';
import type { Db } from './schema.js';

/** What `openDatabase` in `connect.ts` gives. */
export interface OpenDatabase {
  db: Db;
  /** A counter that every instance on this database shares. */
  createLimiter(options: LimiterOptions): Counter;
  close(): Promise<void>;
}

/** Runs one statement. */
export type Run = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>;

/** Has every statement of a connection run by what `wrap` returns; checks its values first. */
export function wrapStatements(connection: DatabaseConnection, wrap: (run: Run) => Run): void {
  const run = wrap(connection.executeQuery.bind(connection));
  connection.executeQuery = async (query) => {
    for (const value of query.parameters) requireStorable(value);
    return run(query);
  };
}

const patientNodes = new WeakSet<object>();

/**
 * The database for work that may take its time, as migrations do: none of its statements is given up. They are
 * marked: an AsyncLocalStorage, once it has run, slows down every promise of the process before Node 24.
 */
export function patient(db: Db): Db {
  return db.withPlugin({
    transformQuery({ node }) {
      patientNodes.add(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

/** True if a statement may take its time. */
export function isPatient({ query }: CompiledQuery): boolean {
  return patientNodes.has(query);
}

/**
 * Throws where some driver would not store a value as it is: undefined and NaN become null, an object
 * may become SQL, and a text is cut at its first NUL, so that one address could pass for another.
 */
function requireStorable(value: unknown): void {
  if (value === null || value instanceof Uint8Array) return;
  if (typeof value === 'string' && !value.includes('\0')) return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value === 'bigint' || typeof value === 'boolean') return;
  throw new TypeError(`The database cannot store this ${typeof value}.`);
}
