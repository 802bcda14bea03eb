import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../src/db/schema.js';
import type { TestService } from './service.js';

/** By then a request is waiting for the row. */
const ARRIVAL_MS = 400;

/**
 * Runs `change` in a transaction that stays open until `work` waits for it, then makes the `last` change and commits;
 * returns the result of `work`.
 */
export async function meanwhile<T>(
  { services }: TestService,
  change: (db: Db) => Promise<unknown>,
  work: () => Promise<T>,
  last: (db: Db) => Promise<unknown> = async () => {},
): Promise<T> {
  const started = await services.db.transaction().execute(async (db) => {
    await change(db);
    const result = work();
    // It may fail before it is awaited below.
    result.catch(() => {});
    await sleep(ARRIVAL_MS);
    await last(db);
    return { result };
  });
  return started.result;
}
