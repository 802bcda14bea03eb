import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import Database from 'libsql';
import type { Config } from '../config.js';
import type { Log } from '../log.js';
import { sqliteDialect } from './dialect.js';
import { limitersOn } from './limiters.js';
import type { OpenDatabase } from './open-database.js';
import { forgetOldLimits } from './rate-limit-table.js';
import type { Db, Database as Tables } from './schema.js';
import { withStatementCache } from './statement-cache.js';
import { whenFree } from './when-free.js';

/**
 * Opens the SQLite file of DATABASE_URL, made if need be; migrations are not run. There is one
 * connection: never use `db` inside a transaction of its own, it would wait for itself.
 */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const path = config.DATABASE_URL.replace(/^file:/, '');
  const database = withStatementCache(await openFile(path));
  const db: Db = new Kysely<Tables>({ dialect: sqliteDialect(database) });
  const stopForgetting = forgetOldLimits(db, log);
  return {
    db,
    createLimiter: limitersOn(db, database, log),
    async close() {
      stopForgetting();
      await db.destroy();
    },
  };
}

async function openFile(path: string): Promise<Database.Database> {
  if (path !== ':memory:') makePrivate(path);
  const database = new Database(path);
  // `whenFree` waits instead, which holds up nothing else.
  database.exec('pragma busy_timeout = 0');
  // Readers and the one writer do not wait for each other. Of several processes that make the file
  // at once, SQLite refuses all but one at this, whatever its timeout: it sees a deadlock.
  await whenFree(() => database.exec('pragma journal_mode = wal'));
  // In WAL mode NORMAL cannot corrupt the file. A power cut (not a crash of the process) may lose
  // the last commits; FULL would sync to disk at every one, some ten times slower.
  database.exec('pragma synchronous = normal');
  // Off by default in SQLite: without it nothing is deleted along with its user.
  database.exec('pragma foreign_keys = on');
  return database;
}

/**
 * The file holds what opens accounts: nobody but its owner may read it. SQLite gives `-wal` the same mode.
 * One that is there is not touched: to close a file takes all locks on it away that this process has
 * (POSIX fcntl), and another process would then delete the log that an open connection writes to.
 */
function makePrivate(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}
