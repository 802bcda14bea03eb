import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../src/db/schema.js';
import type { TestService } from './service.js';

/** Until then a request has come to where it waits for a row. */
const ARRIVAL_MS = 400;

/**
 * Runs `change` in a transaction that goes on until `work` waits for it, and then ends; returns what comes of
 * `work`.
 */
export async function meanwhile<T>(
  { services }: TestService,
  change: (db: Db) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const started = await services.db.transaction().execute(async (db) => {
    await change(db);
    const result = work();
    // It may fail before it is awaited below.
    result.catch(() => {});
    await sleep(ARRIVAL_MS);
    return { result };
  });
  return started.result;
}
