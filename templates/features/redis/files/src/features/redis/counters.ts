import { once } from 'node:events';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { logCounting, withMemoryFallback } from '../../db/rate-limits.js';
import type { Counters } from '../../http/limits.js';
import type { Log } from '../../process/log.js';
import { connectRedis } from './connection.js';

/** Counts in the Redis at `url`, under keys that begin with `prefix`; in memory while it fails. */
export async function redisCounters(url: string, prefix: string, log: Log): Promise<Counters> {
  const outage = logCounting(log, 'Redis');
  const storeClient = connectRedis(url, outage);
  // So that the first requests are counted in Redis too. If it is down, the start continues.
  await once(storeClient, 'ready').catch(() => undefined);
  return {
    createLimiter(options) {
      const limiter = new RateLimiterRedis({
        ...options,
        keyPrefix: `${prefix}:limits:${options.keyPrefix}`,
        storeClient,
        rejectIfRedisNotReady: true,
      });
      return withMemoryFallback(limiter, options, outage);
    },
    async close() {
      storeClient.disconnect();
    },
  };
}
