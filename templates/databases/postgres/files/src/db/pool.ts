import pg from 'pg';
import type { Config } from '../config.js';
import type { Log } from '../log.js';
import { ConnectionError } from './connection-error.js';

/** How long a request waits for a connection, new or given back, before it is answered 503. */
const CONNECTION_WAIT_MS = 5_000;
/** What takes longer is stuck: every query here is a look-up by an index. Migrations lift it. */
const STATEMENT_LIMIT_MS = 30_000;
const LOCK_WAIT_MS = 10_000;
/** Half-open connections are found by TCP, ones to a former primary by their age. */
const LIFETIME_SECONDS = 30 * 60;

/** Opens the connections to the server of DATABASE_URL; the first one is made by the first query. */
export function openPool(config: Config, log: Log): pg.Pool {
  const pool = new pg.Pool({
    connectionString: config.DATABASE_URL,
    max: config.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    statement_timeout: STATEMENT_LIMIT_MS,
    // A crashed instance must not hold its rows for longer than a statement may take.
    idle_in_transaction_session_timeout: STATEMENT_LIMIT_MS,
    lock_timeout: LOCK_WAIT_MS,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    keepAlive: true,
    types: { getTypeParser },
  });
  // Without listeners the loss of a connection would end the process: of an idle one the pool tells, of
  // one between two statements of a transaction the connection itself. The pool makes others.
  const tell = (error: Error) => log.warn({ err: error }, 'a connection to the database was lost');
  pool.on('error', tell);
  pool.on('connect', (client) => client.on('error', tell));
  return pool;
}

/** A connection of the pool. Throws ConnectionError if none is to be had in time. */
export async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new ConnectionError(error);
  }
}

/** Times and counts are `bigint`, which pg hands out as text: 2^53 ms are 285,000 years. */
const getTypeParser: typeof pg.types.getTypeParser = (type, format) =>
  type === pg.types.builtins.INT8 && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(type, format);
