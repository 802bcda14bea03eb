import {
  CompiledQuery,
  type DatabaseIntrospector,
  type DatabaseMetadataOptions,
  Kysely,
  PostgresDialect,
  PostgresIntrospector,
  sql,
} from 'kysely';
import pg from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import { type Log, reasonOf } from '../process/log.js';
import { ConnectionError } from './connection-error.js';
import { type OpenDatabase, type Run, wrapStatements } from './database.js';
import { countersIn } from './rate-limits.js';
import type { Db } from './schema.js';
import { PATIENCE_MS, retryingStatements } from './server-statements.js';
import { statementCache } from './statement-cache.js';

/** Shorter than PATIENCE_MS, so that the server gives up first and the connection stays usable. */
const LOCK_WAIT_MS = 3_000;
/** A crashed instance must not hold its locks for long. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** Closes connections to a former primary; TCP keep-alive detects only half-open ones. */
const LIFETIME_SECONDS = 30 * 60;

/**
 * Opens the PostgreSQL database of DATABASE_URL; migrations are not run. Throws if it cannot be
 * reached. Inside a transaction use only the transaction, never `db`: enough parallel requests would
 * hold every connection and wait for each other.
 */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const pool = openPool(config, log);
  const cached = statementCache();
  const dialect = new PostgresDialect({
    pool: {
      connect: async () => cached(await takeConnection(pool)),
      end: () => pool.end(),
    },
    onCreateConnection: async (connection) =>
      wrapStatements(connection, (run) => retryingStatements(readCommitted(run))),
  });
  dialect.createIntrospector = introspectorOf;
  const db: Db = new Kysely({ dialect });
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const storeClient = {
    async query({ text, values = [] }: pg.QueryConfig) {
      const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
    },
  };
  return {
    db,
    createLimiter: countersIn(
      log,
      (options) => new RateLimiterPostgres({ ...options, storeClient, storeType: 'client' }),
    ),
  };
}

/** Always false: a start never creates a database on a server. */
export function isCreatedAtStart(_config: Config): boolean {
  return false;
}

function openPool(config: Config, log: Log): pg.Pool {
  const types = new pg.TypeOverrides();
  // Times and counts, which pg returns as text: 2^53 ms are 285,000 years.
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionString: config.DATABASE_URL,
    max: config.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: PATIENCE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    lock_timeout: LOCK_WAIT_MS,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    keepAlive: true,
    types,
  });
  // Without these listeners a lost connection would end the process. Each connection reports itself; of an idle one
  // the pool does so again, with all that its client holds.
  const warn = (error: Error) =>
    log.warn({ reason: reasonOf(error) }, 'a connection to the database was lost');
  pool.on('connect', (client) => client.on('error', warn));
  pool.on('error', () => {});
  return pool;
}

/** A connection of the pool. Throws ConnectionError if none is available in time. */
async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new ConnectionError(error);
  }
}

/** Lists the tables of this service's schema only: others may have tables of the same names (`kysely_migration`). */
function introspectorOf(db: Kysely<unknown>): DatabaseIntrospector {
  const introspector = new PostgresIntrospector(db);
  const getTables = introspector.getTables.bind(introspector);
  return Object.assign(introspector, {
    async getTables(options?: DatabaseMetadataOptions) {
      const { rows } = await sql<{ own: string }>`select current_schema() as own`.execute(db);
      const tables = await getTables(options);
      return tables.filter(({ schema }) => schema === rows[0]?.own);
    },
  });
}

/**
 * Sets read committed, whatever the server's default is. The stores rely on it: after a lost race the next
 * statement must see what the winner committed.
 */
function readCommitted(run: Run): Run {
  const begin = CompiledQuery.raw('begin isolation level read committed');
  return (query) => run(query.sql === 'begin' ? begin : query);
}
