import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { LimiterOptions } from '../db/open-database.js';

/** Counts requests for each key. */
export type Counter = Pick<RateLimiterAbstract, 'consume' | 'block' | 'delete'>;

/** Where requests are counted that all instances count together. */
export interface Counters {
  createLimiter(options: LimiterOptions): Counter;
  /** Closes what was opened for counting alone. */
  close(): Promise<void>;
}
