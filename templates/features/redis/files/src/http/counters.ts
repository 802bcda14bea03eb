import type { Config } from '../config.js';
import type { OpenDatabase } from '../db/open-database.js';
import type { Log } from '../log.js';
import type { Counters } from './counter.js';

/** Counts in the Redis of REDIS_URL; without it in the service's own database. */
export async function openCounters(
  { REDIS_URL: url, REDIS_PREFIX: prefix }: Config,
  { createLimiter }: OpenDatabase,
  log: Log,
): Promise<Counters> {
  if (url === undefined) return { createLimiter, close: async () => {} };
  // Loaded only where it is used: the client costs a start some milliseconds.
  const { redisCounters } = await import('../features/redis/counters.js');
  return redisCounters(url, prefix, log);
}
