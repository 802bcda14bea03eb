import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicTime } from '../clock.js';
import { isBusy } from './errors.js';

const PATIENCE_MS = 5_000;
const PAUSE_MS = 2;

/**
 * Runs a statement, and again for as long as another process holds the write lock, for 5 s at most.
 * SQLite's own busy_timeout would wait as well, but on this thread: nothing else would be answered.
 */
export function whenFree<Result>(run: () => Result): Result | Promise<Result> {
  try {
    return run();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return retry(run);
  }
}

async function retry<Result>(run: () => Result): Promise<Result> {
  const deadline = monotonicTime() + PATIENCE_MS;
  for (;;) {
    await sleep(PAUSE_MS);
    try {
      return run();
    } catch (error) {
      if (!isBusy(error) || monotonicTime() > deadline) throw error;
    }
  }
}
