import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Db } from './schema.js';

/** What `openDatabase` in `connect.ts` gives. */
export interface OpenDatabase {
  db: Db;
  /** A rate limiter that every instance on this database shares. */
  createLimiter(options: LimiterOptions): RateLimiterAbstract;
  close(): Promise<void>;
}

/** What a limiter counts: at most `points` for each key in `duration` seconds. */
export interface LimiterOptions {
  keyPrefix: string;
  points: number;
  duration: number;
}
