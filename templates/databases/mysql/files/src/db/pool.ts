import { createPool, type Pool, type PoolConnection } from 'mysql2';
import type { Config } from '../config.js';
import { ConnectionError } from './connection-error.js';
import { sessionStatements } from './session.js';

/** How long a request waits for a connection, new or given back, before it is answered 503. */
const CONNECTION_WAIT_MS = 5_000;
const IDLE_MS = 30_000;
/** Kysely's texts vary only with the shape of a query, so there are a few dozen of them. */
const PREPARED_STATEMENTS = 200;

/** Opens the connections to the server of DATABASE_URL; the first one is made by the first query. */
export function openPool(config: Config): Pool {
  const pool = createPool({
    uri: config.DATABASE_URL,
    connectionLimit: config.DATABASE_POOL_SIZE,
    // Below the limit, or idle connections are never closed.
    maxIdle: config.DATABASE_POOL_SIZE - 1,
    idleTimeout: IDLE_MS,
    connectTimeout: CONNECTION_WAIT_MS,
    maxPreparedStatements: PREPARED_STATEMENTS,
    // Numbers past 2^53 come as text instead of rounded.
    supportBigNumbers: true,
    ...(config.DATABASE_TLS ? { ssl: { minVersion: 'TLSv1.2' } } : {}),
  });
  pool.on('connection', prepareSession);
  return pool;
}

/** Statements of one connection run in order: these come before the first one of its user. */
function prepareSession(connection: PoolConnection): void {
  for (const statement of sessionStatements) {
    connection.query(statement, (error) => {
      // A connection with other rules must not be used.
      if (error) connection.destroy();
    });
  }
}

/** A connection of the pool. Throws ConnectionError if none is to be had in time. */
export function takeConnection(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new ConnectionError(new Error(`No connection in ${CONNECTION_WAIT_MS} ms.`)));
    }, CONNECTION_WAIT_MS);
    pool.getConnection((error, connection) => {
      clearTimeout(timer);
      if (error) reject(new ConnectionError(error));
      else if (isLate) connection.release();
      else resolve(connection);
    });
  });
}

export function endPool(pool: Pool): Promise<void> {
  return new Promise((resolve) => pool.end(() => resolve()));
}
