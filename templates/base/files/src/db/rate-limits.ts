import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { monotonicTime, now } from '../process/clock.js';
import { inTime } from '../process/in-time.js';
import { type Log, logOutage, type Outage } from '../process/log.js';
import { patiently } from './database.js';
import type { Db } from './schema.js';
import { retryConflicts } from './transaction.js';

/** What a limiter counts: at most `points` for each key in `duration` seconds. */
export interface LimiterOptions {
  keyPrefix: string;
  points: number;
  duration: number;
}

/** Counts requests for each key. */
export type Counter = Pick<RateLimiterAbstract, 'consume' | 'block' | 'delete'>;

/** How rate-limiter-flexible finds the table, which a migration makes and `deleteOldCounts` cleans. */
export const countsTable = {
  tableName: 'rate_limits',
  tableCreated: true,
  clearExpiredByTimeout: false,
};

const CLEANING_INTERVAL_MS = 10 * 60_000;

/** Deletes counts that have run out every ten minutes; the returned function stops it. */
export function deleteOldCounts(db: Db, log: Log): () => void {
  const clean = () =>
    patiently(db)
      .deleteFrom('rate_limits')
      .where('expire', '<', now())
      .execute()
      .catch((error) => log.warn({ err: error }, 'old rate limits could not be deleted'));
  const timer = setInterval(clean, CLEANING_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/** Tells the log whether the counts are shared. `store` is what counts them, as a sentence names it. */
export function logCounting(log: Log, store: string): Outage {
  return logOutage(
    log,
    `${store} fails: rate limits are counted in memory for now`,
    `rate limits are counted in ${store} again`,
  );
}

/** A count is one row: whoever waits longer for it waits for a store that does not answer. */
const PATIENCE_MS = 1_000;
/** How long a store that failed is left alone. */
const PAUSE_MS = 5_000;

/** A counter that goes on in memory while the shared one fails; a limit that is reached is no failure. */
export function insured(shared: Counter, options: LimiterOptions, outage: Outage): Counter {
  const own = new RateLimiterMemory(options);
  let failedAt = Number.NEGATIVE_INFINITY;

  async function count<T>(act: (counter: Counter) => Promise<T>): Promise<T> {
    if (monotonicTime() < failedAt + PAUSE_MS) return act(own);
    try {
      const result = await inTime(
        PATIENCE_MS,
        retryConflicts(() => act(shared)),
      );
      outage.end();
      return result;
    } catch (error) {
      if (error instanceof RateLimiterRes) {
        outage.end();
        throw error;
      }
      failedAt = monotonicTime();
      outage.begin(error);
      return act(own);
    }
  }

  return {
    consume: (key) => count((counter) => counter.consume(key)),
    block: (key, seconds) => count((counter) => counter.block(key, seconds)),
    delete: (key) => count((counter) => counter.delete(key)),
  };
}
