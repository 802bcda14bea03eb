import {
  CompiledQuery,
  Kysely,
  MysqlDialect,
  type MysqlPool,
  type MysqlPoolConnection,
  sql,
} from 'kysely';
import { createPool, type Pool, type PoolConnection } from 'mysql2';
import { RateLimiterMySQL } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import type { Log } from '../process/log.js';
import { ConnectionError } from './connection-error.js';
import { type OpenDatabase, wrapStatements } from './database.js';
import { countersIn } from './rate-limits.js';
import type { Db } from './schema.js';
import { PATIENCE_MS, retryingStatements } from './server-statements.js';

const IDLE_MS = 30_000;

/**
 * Settings of each connection, whatever the server's defaults are.
 *
 * Strict mode refuses values that do not fit instead of truncating them. Read committed: the stores rely
 * on seeing, after a lost race, what the winner committed. Deadlocks are detected at once, so a 2 s wait
 * is for a transaction that hangs, and is retried. By default MariaDB truncates aggregated JSON at 1 MB.
 * A crashed instance must not hold its locks for long; idle connections are closed before that time.
 */
const SESSION = [
  'set session transaction isolation level read committed',
  `set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION',
    session group_concat_max_len = ${2 ** 30}, session innodb_lock_wait_timeout = 2,
    session wait_timeout = 60`,
];

/**
 * Opens the MySQL or MariaDB database of DATABASE_URL; migrations are not run. Throws if it cannot be
 * reached. Inside a transaction use only the transaction, never `db`: enough parallel requests would
 * hold every connection and wait for each other.
 */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const pool = openPool(config);
  const dialect = new MysqlDialect({
    pool: callbackPool(pool),
    onCreateConnection: async (connection) => wrapStatements(connection, retryingStatements),
  });
  const db: Db = new Kysely({ dialect });
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const storeClient = limiterClient(db);
  const dbName = decodeURIComponent(new URL(config.DATABASE_URL).pathname.slice(1));
  return {
    db,
    createLimiter: countersIn(
      log,
      (options) => new RateLimiterMySQL({ ...options, dbName, storeClient, storeType: 'pool' }),
    ),
  };
}

/** Always false: a start never creates a database on a server. */
export function isCreatedAtStart(_config: Config): boolean {
  return false;
}

function openPool(config: Config): Pool {
  const pool = createPool({
    uri: config.DATABASE_URL,
    connectionLimit: config.DATABASE_POOL_SIZE,
    // Must be below connectionLimit, or idle connections are never closed.
    maxIdle: config.DATABASE_POOL_SIZE - 1,
    idleTimeout: IDLE_MS,
    connectTimeout: PATIENCE_MS,
    // Returns numbers past 2^53 as text instead of rounding them.
    supportBigNumbers: true,
    ...(config.DATABASE_TLS ? { ssl: { minVersion: 'TLSv1.2', verifyIdentity: true } } : {}),
  });
  // Statements of one connection run in order, so these come before any other.
  pool.on('connection', (connection) => {
    for (const statement of SESSION) {
      connection.query(statement, (error) => {
        // Without these settings a connection must not be used.
        if (error) connection.destroy();
      });
    }
  });
  return pool;
}

/** The pool as Kysely needs it. */
function callbackPool(pool: Pool): MysqlPool {
  const known = new WeakMap<PoolConnection, MysqlPoolConnection>();
  return {
    getConnection(callback) {
      takeConnection(pool).then(
        (connection) => {
          const closing = known.get(connection) ?? closingIfGivenUp(connection);
          known.set(connection, closing);
          callback(null, closing);
        },
        callback as (error: unknown) => void,
      );
    },
    // A connection that cannot be closed properly was lost.
    end: (callback) => pool.end(() => callback(undefined)),
  };
}

/** A connection released while a statement runs was given up, and is closed. */
function closingIfGivenUp(connection: PoolConnection): MysqlPoolConnection {
  let running = 0;
  const query = (sql: string, values: readonly unknown[], callback: Callback) => {
    running += 1;
    connection.query({ sql, values: [...values] }, (error, result) => {
      running -= 1;
      callback(error, result);
    });
  };
  return {
    query: query as unknown as MysqlPoolConnection['query'],
    release: () => (running > 0 ? connection.destroy() : connection.release()),
  };
}

type Callback = (error: unknown, result?: unknown) => void;

/** The part of mysql2's pool that RateLimiterMySQL uses: its statements run like all others. */
function limiterClient(db: Db) {
  return {
    getConnection(callback: Callback) {
      const lend = (connection: Db) =>
        new Promise<void>((release) => {
          const query = (sql: string, ...rest: [Callback] | [unknown[], Callback]) => {
            const [values, done] = rest.length === 1 ? [[], rest[0]] : rest;
            const statement = /^[A-Z]+$/.test(sql) ? sql.toLowerCase() : sql;
            connection
              .executeQuery(CompiledQuery.raw(statement, values))
              .then(
                ({ rows, numAffectedRows: count }) =>
                  done(null, count === undefined ? rows : { affectedRows: Number(count) }),
                done,
              );
          };
          callback(null, { query, release, rollback: () => query('rollback', () => {}) });
        });
      db.connection().execute(lend).catch(callback);
    },
  };
}

/** A connection of the pool. Throws ConnectionError if none is available in time. */
function takeConnection(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new ConnectionError(`no connection in ${PATIENCE_MS} ms`));
    }, PATIENCE_MS);
    pool.getConnection((error, connection) => {
      clearTimeout(timer);
      if (error) reject(new ConnectionError(error));
      else if (isLate) connection.release();
      else resolve(connection);
    });
  });
}
