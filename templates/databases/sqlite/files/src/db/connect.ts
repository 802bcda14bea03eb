import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, Kysely, SqliteAdapter, type SqliteDatabase, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { RateLimiterSQLite } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import { monotonicTime } from '../process/clock.js';
import type { Log } from '../process/log.js';
import { type OpenDatabase, type Run, wrapStatements } from './database.js';
import { isBusy, isRolledBack } from './errors.js';
import { countsTable, deleteOldCounts, insured, logCounting } from './rate-limits.js';
import type { Db } from './schema.js';
import { withStatementCache } from './statement-cache.js';

const PATIENCE_MS = 5_000;
const PAUSE_MS = 2;

/**
 * Opens the SQLite file of DATABASE_URL, or creates it; migrations are not run. There is one connection:
 * inside a transaction use only the transaction, because `db` would wait for it for ever.
 */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const database = withStatementCache(await openFile(pathOf(config)));
  const dialect = new TransactionalDialect({
    database,
    onCreateConnection: async (connection) => wrapStatements(connection, forManyProcesses),
  });
  const db: Db = new Kysely({ dialect });
  const stopDeleting = deleteOldCounts(db, log);
  const outage = logCounting(log, 'the database');
  const storeClient = storeOfCounts(db, database);
  return {
    db,
    createLimiter: (options) =>
      insured(
        new RateLimiterSQLite({
          ...options,
          ...countsTable,
          storeClient,
          storeType: 'better-sqlite3',
        }),
        options,
        outage,
      ),
    async close() {
      stopDeleting();
      await db.destroy();
    },
  };
}

/** True if there is no file yet: a start creates it, and commands that only read must not. */
export function isMadeAtStart(config: Config): boolean {
  return !existsSync(pathOf(config));
}

function pathOf({ DATABASE_URL: url }: Config): string {
  return url.replace(/^file:/, '');
}

async function openFile(path: string): Promise<Database.Database> {
  if (path !== ':memory:') makePrivate(path);
  const database = new Database(path);
  // `whenFree` waits instead, without blocking the thread.
  database.exec('pragma busy_timeout = 0');
  // In WAL mode readers and the writer do not wait for each other. If several processes create the file at
  // once, SQLite refuses this to all but one, whatever the timeout, because it detects a deadlock.
  await whenFree(() => database.exec('pragma journal_mode = wal'));
  // In WAL mode NORMAL cannot corrupt the file. A power cut (not a crash of the process) may lose
  // the last commits; FULL would sync to disk at every one, some ten times slower.
  database.exec('pragma synchronous = normal');
  // Off by default in SQLite: without it `on delete cascade` does nothing.
  database.exec('pragma foreign_keys = on');
  return database;
}

/**
 * Creates the file readable for its owner only; SQLite gives `-wal` the same mode. An existing file is not
 * opened: closing it would drop all locks of this process on it (POSIX fcntl), and another process could
 * then delete the log that an open connection writes to.
 */
function makePrivate(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

/** Migrations run in a transaction, whose lock keeps a second process from running them too. */
class TransactionalDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new (class extends SqliteAdapter {
      override get supportsTransactionalDdl(): boolean {
        return true;
      }
    })();
  }
}

/**
 * Statements wait while another process writes. A transaction takes the write lock when it begins: otherwise
 * one that reads first would fail at its first write if another process wrote in between.
 */
function forManyProcesses(run: Run): Run {
  return async (query) => {
    const isBegin = query.sql === 'begin';
    try {
      return await whenFree(() => run(isBegin ? CompiledQuery.raw('begin immediate') : query));
    } catch (error) {
      // SQLite rolls back by itself when a disk is full or fails: report the statement's error, not this one.
      if (query.sql === 'rollback' && isRolledBack(error)) return { rows: [] };
      throw error;
    }
  };
}

/**
 * Runs a statement, and retries for up to 5 s while another process holds the write lock. SQLite's own
 * busy_timeout would block this thread, and with it all requests.
 */
async function whenFree<Result>(run: () => Result | Promise<Result>): Promise<Result> {
  const deadline = monotonicTime() + PATIENCE_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isBusy(error) || monotonicTime() > deadline) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

/**
 * The part of the better-sqlite3 API that RateLimiterSQLite uses. A count waits for its turn on the one
 * connection: in the open transaction of another request it would be lost by a rollback, which a client
 * could provoke.
 */
function storeOfCounts(db: Db, database: SqliteDatabase) {
  return {
    prepare(sql: string) {
      const statement = database.prepare(sql);
      return {
        get: (...parameters: unknown[]) => statement.all(parameters)[0],
        run: (...parameters: unknown[]) => statement.run(parameters),
      };
    },
    /** Each transaction of RateLimiterSQLite is a single statement, which needs no `begin`. */
    transaction: (count: () => unknown) => () => db.connection().execute(() => whenFree(count)),
  };
}
