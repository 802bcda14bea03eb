import type { SqliteDatabase } from 'kysely';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterSQLite,
} from 'rate-limiter-flexible';
import type { Log } from '../log.js';
import type { LimiterOptions } from './open-database.js';
import { watchCounting } from './rate-limit-table.js';
import type { Db } from './schema.js';
import { whenFree } from './when-free.js';

/** A maker of limiters that count in the database, and in memory while the database fails. */
export function limitersOn(db: Db, database: SqliteDatabase, log: Log) {
  const storeClient = createStoreClient(db, database, log);
  return (options: LimiterOptions): RateLimiterAbstract =>
    new RateLimiterSQLite({
      ...options,
      storeClient,
      storeType: 'better-sqlite3',
      tableName: 'rate_limits',
      tableCreated: true,
      // Off: its timer turns an error into an unhandled rejection. `connect.ts` cleans up instead.
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory(options),
    });
}

/** The part of the better-sqlite3 API that RateLimiterSQLite uses. */
function createStoreClient(db: Db, database: SqliteDatabase, log: Log) {
  const watch = watchCounting(log);

  /**
   * Waits for its turn on the one connection. Inside the open transaction of another request a count
   * would be lost with its rollback, and a rollback can be brought about from outside.
   */
  function count(work: () => unknown): Promise<unknown> {
    return watch(() => db.connection().execute(async () => whenFree(work)));
  }

  return {
    prepare(sql: string) {
      const statement = database.prepare(sql);
      return {
        get: (...parameters: unknown[]) => statement.all(parameters)[0],
        run: (...parameters: unknown[]) => statement.run(parameters),
      };
    },
    /** Each transaction of RateLimiterSQLite is one statement, which is one by itself. */
    transaction: (work: () => unknown) => () => count(work),
  };
}
