import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { randomId } from '../process/random.js';
import { isStalePlan } from './errors.js';

/** Kysely's SQL varies only with the shape of a query, so there are a few dozen statements. */
const CAPACITY = 200;

/**
 * Makes each connection prepare its statements once, by giving them names: planning the look-up of every
 * request takes as long as running it.
 */
export function statementCache(): (client: pg.PoolClient) => PostgresPoolClient {
  const names = new Map<string, string>();
  const preparing = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  /** Undefined once there are too many: such a statement is parsed at each use. */
  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known || names.size === CAPACITY) return known;
    // Behind a pooler, several processes can share one session of the server, so names must differ.
    const name = randomId();
    names.set(text, name);
    return name;
  }

  return (client) => {
    const known = preparing.get(client);
    if (known) return known;
    let running = 0;

    function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
    function query<Row>(
      text: string,
      values: readonly unknown[],
    ): Promise<PostgresQueryResult<Row>>;
    function query(text: string | object, values: readonly unknown[] = []): unknown {
      if (typeof text !== 'string') throw new TypeError('Streaming is not supported.');
      // Statements without values, such as `begin`, have no plan worth caching.
      const name = values.length > 0 ? nameOf(text) : undefined;
      running += 1;
      return client
        .query({ ...(name && { name }), text, values: [...values] })
        .catch((error) => {
          // The next use prepares it again, under a new name.
          if (isStalePlan(error)) names.delete(text);
          throw error;
        })
        .finally(() => {
          running -= 1;
        });
    }

    // A connection released while a statement runs was given up, and is closed.
    const wrapped: PostgresPoolClient = { query, release: () => client.release(running > 0) };
    preparing.set(client, wrapped);
    return wrapped;
  };
}
