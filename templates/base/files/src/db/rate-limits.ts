import { sql } from 'kysely';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { monotonicTime, now, withTimeout } from '../process/clock.js';
import { type Log, logOutage } from '../process/log.js';
import { deletePages } from './queries.js';
import type { Db } from './schema.js';
import { retryConflicts } from './transaction.js';

/** What a limiter counts: at most `points` for each key in `duration` seconds. */
export interface LimiterOptions {
  keyPrefix: string;
  points: number;
  duration: number;
  /** True if it fails with the database, and never continues in memory. */
  isStrict?: boolean | undefined;
}

export interface Counter {
  /** Rejects with a RateLimiterRes past the limit. */
  consume(key: string): Promise<RateLimiterRes>;
  reward(key: string): Promise<RateLimiterRes>;
  block(key: string, seconds: number): Promise<RateLimiterRes>;
  delete(key: string): Promise<boolean>;
}

/** The table for rate-limiter-flexible, which a migration creates and `deleteOldCounts` cleans. */
const TABLE = { tableName: 'rate_limits', tableCreated: true, clearExpiredByTimeout: false };

/** Counters in the database, each made by `open`; they continue in memory while it fails. */
export function countersIn(log: Log, open: (options: LimiterOptions & typeof TABLE) => Counter) {
  const outage = logCounting(log, 'the database');
  return (options: LimiterOptions): Counter =>
    withMemoryFallback(open({ ...options, ...TABLE }), options, outage);
}

export async function deleteOldCounts(db: Db): Promise<void> {
  await deletePages(db, 'rate_limits', sql`expire < ${now()}`, 'key');
}

/** Logs when the shared counts fail and when they work again. `store` is its name in the messages. */
export function logCounting(log: Log, store: string) {
  const outage = logOutage(
    log,
    `${store} fails: rate limits are counted in memory for now`,
    `rate limits are counted in ${store} again`,
  );
  // Shared by all limits: a request counted by several would otherwise wait for the failing store several times.
  return { ...outage, failedAt: Number.NEGATIVE_INFINITY };
}

/** Keys counted in memory, per limit; beyond that, the oldest is dropped. Whoever has so many IPs gains nothing. */
const KEYS_IN_MEMORY = 20_000;

/** Counts in the memory of this process, which a client that invents new keys cannot fill. */
export function countInMemory({ points, duration }: LimiterOptions): Counter {
  const windows = new Map<string, { count: number; endsAt: number }>();

  function start(key: string, count: number, seconds: number) {
    windows.delete(key);
    const [oldest] = windows.size >= KEYS_IN_MEMORY ? windows.keys() : [];
    if (oldest !== undefined) windows.delete(oldest);
    const window = { count, endsAt: now() + seconds * 1000 };
    windows.set(key, window);
    return window;
  }

  function add(key: string, change: number): RateLimiterRes {
    const known = windows.get(key);
    const window = known && known.endsAt > now() ? known : start(key, 0, duration);
    window.count += change;
    const { count, endsAt } = window;
    return new RateLimiterRes(Math.max(0, points - count), endsAt - now(), count, count === change);
  }

  return {
    async consume(key) {
      const result = add(key, 1);
      if (result.consumedPoints > points) throw result;
      return result;
    },
    reward: async (key) => add(key, -1),
    async block(key, seconds) {
      start(key, points + 1, seconds);
      return add(key, 0);
    },
    delete: async (key) => windows.delete(key),
  };
}

/** A count is one row: a store that takes longer counts as failed. */
const PATIENCE_MS = 1_000;
/** How long a failed store is left alone. */
const PAUSE_MS = 5_000;

/**
 * A counter that continues in memory, from zero, while the shared one fails; reaching a limit is no failure. Requests
 * for one key are counted one by one: in parallel, they would wait for the same row, time out, and count in memory.
 */
export function withMemoryFallback(
  shared: Counter,
  options: LimiterOptions,
  outage: ReturnType<typeof logCounting>,
): Counter {
  const own = countInMemory(options);
  const underWay = new Map<string, Promise<RateLimiterRes>>();

  async function count<T>(act: (counter: Counter) => Promise<T>): Promise<T> {
    if (options.isStrict) return retryConflicts(() => act(shared));
    if (monotonicTime() < outage.failedAt + PAUSE_MS) return act(own);
    try {
      const counted = retryConflicts(() => act(shared));
      const result = await withTimeout(PATIENCE_MS, counted);
      outage.end();
      return result;
    } catch (error) {
      if (error instanceof RateLimiterRes) {
        outage.end();
        throw error;
      }
      outage.failedAt = monotonicTime();
      outage.begin(error);
      return act(own);
    }
  }

  async function consume(key: string): Promise<RateLimiterRes> {
    for (let earlier = underWay.get(key); earlier; earlier = underWay.get(key)) {
      await earlier.catch((refused) => {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        // A request that waited is refused as well, and counts as a later one.
        throw new RateLimiterRes(0, refused.msBeforeNext, refused.consumedPoints + 1, false);
      });
    }
    const counted = count((counter) => counter.consume(key));
    underWay.set(key, counted);
    return counted.finally(() => underWay.delete(key));
  }

  return {
    consume,
    reward: (key) => count((counter) => counter.reward(key)),
    block: (key, seconds) => count((counter) => counter.block(key, seconds)),
    delete: (key) => count((counter) => counter.delete(key)),
  };
}
