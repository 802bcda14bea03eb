import { sql } from 'kysely';
import { now } from '../clock.js';
import type { Log } from '../log.js';
import type { Db } from './schema.js';

const CLEANING_INTERVAL_MS = 10 * 60_000;

/** Deletes counts that have run out every ten minutes; the returned function stops it. */
export function forgetOldLimits(db: Db, log: Log): () => void {
  const forget = () =>
    sql`delete from rate_limits where expire < ${now()}`
      .execute(db)
      .catch((error) => log.warn({ err: error }, 'old rate limits could not be deleted'));
  const timer = setInterval(forget, CLEANING_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/** Runs work on the table, and logs once when it begins to fail and once when it works again. */
export function watchCounting(log: Log) {
  let isFailing = false;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const counted = await work();
      if (isFailing) log.info('rate limits are counted in the database again');
      isFailing = false;
      return counted;
    } catch (error) {
      if (!isFailing) log.error({ err: error }, 'rate limits are counted in memory for now');
      isFailing = true;
      throw error;
    }
  };
}
