import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
} from 'kysely';
import Database from 'libsql';
import { RateLimiterSQLite } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import { monotonicTime } from '../process/clock.js';
import type { Log } from '../process/log.js';
import { type OpenDatabase, type Run, wrapStatements } from './database.js';
import { isBusy } from './errors.js';
import { affectsRow } from './queries.js';
import { countersIn } from './rate-limits.js';
import type { Db } from './schema.js';
import { withStatementCache } from './statement-cache.js';

/** How long another process may hold the file before requests are answered 503. */
const PATIENCE_MS = 3_500;
const PAUSE_MS = 2;
const LEAST_PATIENCE_MS = 50;

/**
 * Opens the SQLite file of DATABASE_URL, or creates it; migrations are not run. There is one connection:
 * inside a transaction use only the transaction, because `db` would wait for it forever.
 */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const file = await openFile(pathOf(config));
  const database = withStatementCache(file);
  const dialect = new SqliteDialect({
    database,
    onCreateConnection: async (connection) =>
      wrapStatements(connection, (run) => forManyProcesses(run, file)),
  });
  dialect.createAdapter = () => new TransactionalAdapter();
  const db: Db = new Kysely({ dialect });
  const store = { storeClient: limiterClient(db, database), storeType: 'better-sqlite3' };
  const counts = db.deleteFrom('rate_limits');
  return {
    db,
    createLimiter: countersIn(log, (options) => {
      const limiter = new RateLimiterSQLite({ ...options, ...store });
      // Its own `delete` does not wait for other processes: see `forManyProcesses` for what that would leave behind.
      const remove = (key: string) => affectsRow(counts.where('key', '=', limiter.getKey(key)));
      return Object.assign(limiter, { delete: remove });
    }),
  };
}

/** True if there is no file yet, but can be: a start creates it, and commands that only read must not. */
export function isCreatedAtStart(config: Config): boolean {
  const path = resolve(pathOf(config));
  if (existsSync(path)) return false;
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    // The dot refuses a file in the place of a folder.
    accessSync(`${folder}/.`, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function pathOf({ DATABASE_URL: url }: Config): string {
  return url.replace(/^file:/, '');
}

async function openFile(path: string): Promise<Database.Database> {
  if (path !== ':memory:') makePrivate(path);
  const database = new Database(path);
  // `patience` waits instead, without blocking the thread.
  database.exec('pragma busy_timeout = 0');
  // In WAL mode readers and the writer do not wait for each other. If several processes create the file at
  // once, SQLite refuses this to all but one, whatever the timeout, because it detects a deadlock.
  await patience()(() => database.exec('pragma journal_mode = wal'));
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
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const COMMIT = CompiledQuery.raw('commit');
const READING = /^\s*(?:select|pragma|with)\b/;

/**
 * Statements wait while another process writes. A transaction takes the write lock when it begins: otherwise
 * one that reads first would fail at its first write if another process wrote in between. A statement that
 * writes gets a transaction of its own, so that only `begin immediate` ever waits. That one is never prepared: libsql
 * does not reset a prepared statement that failed because another process writes. It would keep its snapshot of the
 * file, and this process would no longer see what others write, such as the end of a session.
 */
function forManyProcesses(run: Run, file: Database.Database): Run {
  const whenReadable = patience();
  const whenWritable = patience();
  const begin = () => whenWritable(() => file.exec('begin immediate'));

  /** SQLite rolls back by itself when a disk is full or fails. */
  function rollback(): void {
    if (file.inTransaction) file.exec('rollback');
  }

  return async (query) => {
    if (READING.test(query.sql)) return whenReadable(() => run(query));
    if (query.sql === 'begin') await begin();
    else if (query.sql === 'rollback') rollback();
    else if (query.sql === 'commit' || file.inTransaction) return run(query);
    else return writeAlone(query);
    return { rows: [] };
  };

  async function writeAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await begin();
    try {
      const result = await run<Row>(query);
      await run(COMMIT);
      return result;
    } catch (error) {
      rollback();
      throw error;
    }
  }
}

/**
 * Runs a statement, and again while another process holds the write lock, for up to 3.5 s: SQLite's own busy_timeout
 * would block this thread, and with it all requests. If the lock has already been held for that long, a new statement
 * waits 50 ms only: otherwise each would wait in turn.
 */
function patience() {
  let heldSince = 0;
  let heldUntil = Number.NEGATIVE_INFINITY;

  /** False once it has taken too long. */
  function mayWait(start: number): boolean {
    const time = monotonicTime();
    if (time > heldUntil + PATIENCE_MS) heldSince = time;
    heldUntil = time;
    return time <= Math.max(start + LEAST_PATIENCE_MS, heldSince + PATIENCE_MS);
  }

  return async <Result>(run: () => Result | Promise<Result>): Promise<Result> => {
    const start = monotonicTime();
    for (;;) {
      try {
        const result = await run();
        heldUntil = Number.NEGATIVE_INFINITY;
        return result;
      } catch (error) {
        if (!isBusy(error) || !mayWait(start)) throw error;
      }
      await sleep(PAUSE_MS);
    }
  };
}

/**
 * The part of the better-sqlite3 API that RateLimiterSQLite uses. A count waits for its turn on the
 * one connection: in the open transaction of another request, a rollback would lose it, and a
 * client could provoke that.
 */
function limiterClient(db: Db, database: SqliteDatabase) {
  return {
    prepare(sql: string) {
      const statement = database.prepare(sql);
      return { get: (...parameters: unknown[]) => statement.all(parameters)[0] };
    },
    transaction: (count: () => unknown) => () => db.transaction().execute(async () => count()),
  };
}
