import type { Pool, PoolConnection } from 'mysql2';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterMySQL,
} from 'rate-limiter-flexible';
import type { Log } from '../log.js';
import type { LimiterOptions } from './open-database.js';
import { takeConnection } from './pool.js';
import { watchCounting } from './rate-limit-table.js';

type Callback = (error: unknown, connection?: PoolConnection) => void;

/** A maker of limiters that count in the database, and in memory while the database fails. */
export function limitersOn(pool: Pool, dbName: string, log: Log) {
  const watch = watchCounting(log);
  const storeClient = {
    getConnection(callback: Callback) {
      watch(() => takeConnection(pool)).then((connection) => callback(null, connection), callback);
    },
  };
  return (options: LimiterOptions): RateLimiterAbstract =>
    new RateLimiterMySQL({
      ...options,
      storeClient,
      storeType: 'pool',
      dbName,
      tableName: 'rate_limits',
      tableCreated: true,
      // Off: `rate-limit-table.ts` cleans up, once for all limiters.
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory(options),
    });
}
