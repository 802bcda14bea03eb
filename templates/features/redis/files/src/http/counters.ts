import type { Config } from '../config.js';
import type { OpenDatabase } from '../db/open-database.js';
import { redisCounters } from '../features/redis/counters.js';
import type { Log } from '../log.js';
import type { Counters } from './counter.js';

/** Counts in the Redis of REDIS_URL; without it in the service's own database. */
export async function openCounters(
  { REDIS_URL: url, REDIS_PREFIX: prefix }: Config,
  { createLimiter }: OpenDatabase,
  log: Log,
): Promise<Counters> {
  if (url !== undefined) return redisCounters(url, prefix, log);
  return { createLimiter, close: async () => {} };
}
