import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { ConnectionError } from './connection-error.js';
import { isStalePlan } from './errors.js';
import { takeConnection } from './pool.js';
import { retryConflicts } from './retry.js';
import { statementNames } from './statement-names.js';
import { requireStorable } from './storable.js';

/** The pool as Kysely needs it: statements are prepared, lost races run again, failures are told apart. */
export function preparedPool(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await takeConnection(pool);
      const known = clients.get(client);
      if (known) return known;
      const prepared = preparedClient(client);
      clients.set(client, prepared);
      return prepared;
    },
    // Whoever opened the pool ends it.
    async end() {},
  };
}

function preparedClient(client: pg.PoolClient): PostgresPoolClient {
  const names = statementNames();

  async function run(text: string, values: unknown[]) {
    // `begin` and the like have no plan, and are run between others' statements.
    const name = values.length > 0 ? names.of(text) : undefined;
    try {
      return await client.query(name ? { name, text, values } : { text, values });
    } catch (error) {
      if (isStalePlan(error)) names.forget(text);
      throw error instanceof pg.DatabaseError ? error : new ConnectionError(error);
    }
  }

  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query<Row>(
    text: string,
    parameters: readonly unknown[],
  ): Promise<PostgresQueryResult<Row>>;
  function query(text: string | object, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('Cursors are not set up: no query streams.');
    const values = requireStorable(parameters);
    // Within a transaction the whole of it is lost, and `inTransaction` begins it again.
    const isAlone = client.getTransactionStatus() === 'I';
    return isAlone ? retryConflicts(() => run(text, values)) : run(text, values);
  }

  return { query, release: () => client.release() };
}
