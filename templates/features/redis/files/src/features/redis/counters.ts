import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimiterOptions } from '../../db/open-database.js';
import type { Counter, Counters } from '../../http/counter.js';
import type { Log } from '../../log.js';
import { connectRedis, settled } from './connection.js';
import { logOutage, type Outage } from './outage.js';

/** Counts in the Redis at `url`, under names that begin with `prefix`; in memory while it fails. */
export async function redisCounters(url: string, prefix: string, log: Log): Promise<Counters> {
  const outage = logOutage(
    log,
    'Redis fails: rate limits are counted in memory for now',
    'rate limits are counted in Redis again',
  );
  const storeClient = connectRedis(url, outage);
  // The first requests are to count where all others do. A Redis that is down holds up no start.
  await settled(storeClient);
  return {
    createLimiter(options) {
      const keyPrefix = `${prefix}:limits:${options.keyPrefix}`;
      const limiter = new RateLimiterRedis({
        ...options,
        keyPrefix,
        storeClient,
        rejectIfRedisNotReady: true,
      });
      return insured(limiter, options, outage);
    },
    async close() {
      storeClient.disconnect();
    },
  };
}

/** A counter that goes on in memory when the shared one fails; a limit that is reached is no failure. */
function insured(shared: Counter, options: LimiterOptions, outage: Outage): Counter {
  const own = new RateLimiterMemory(options);

  async function count<T>(act: (counter: Counter) => Promise<T>): Promise<T> {
    try {
      const result = await act(shared);
      outage.end();
      return result;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) {
        outage.begin(error);
        return act(own);
      }
      outage.end();
      throw error;
    }
  }

  return {
    consume: (key) => count((counter) => counter.consume(key)),
    block: (key, seconds) => count((counter) => counter.block(key, seconds)),
    delete: (key) => count((counter) => counter.delete(key)),
  };
}
