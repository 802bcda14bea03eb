import type pg from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
} from 'rate-limiter-flexible';
import type { Log } from '../log.js';
import type { LimiterOptions } from './open-database.js';
import { watchCounting } from './rate-limit-table.js';

/** A maker of limiters that count in the database, and in memory while the database fails. */
export function limitersOn(pool: pg.Pool, log: Log) {
  const watch = watchCounting(log);
  // Without the statement's name: behind a pooler, connections can share one session of the server.
  const storeClient = {
    query: ({ text, values }: pg.QueryConfig) => watch(() => pool.query({ text, values })),
  };
  return (options: LimiterOptions): RateLimiterAbstract =>
    new RateLimiterPostgres({
      ...options,
      storeClient,
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      // Off: `rate-limit-table.ts` cleans up, once for all limiters.
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory(options),
    });
}
