import type { Config } from '../config.js';
import type { OpenDatabase } from '../db/open-database.js';
import type { Log } from '../log.js';
import type { Counters } from './counter.js';

/** Counts in the service's own database, whose connections others close. */
export async function openCounters(
  _config: Config,
  { createLimiter }: OpenDatabase,
  _log: Log,
): Promise<Counters> {
  return { createLimiter, close: async () => {} };
}
