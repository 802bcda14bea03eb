import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicTime } from '../clock.js';
import { isBusy } from './errors.js';

const PATIENCE_MS = 5_000;
const PAUSE_MS = 2;

/**
 * Runs a statement, and again for as long as another process holds the write lock, for 5 s unless told
 * otherwise. SQLite's own busy_timeout would wait as well, but on this thread: nothing else would be answered.
 */
export function whenFree<Result>(
  run: () => Result,
  patience = PATIENCE_MS,
): Result | Promise<Result> {
  try {
    return run();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return retry(run, patience);
  }
}

async function retry<Result>(run: () => Result, patience: number): Promise<Result> {
  const deadline = monotonicTime() + patience;
  for (;;) {
    await sleep(PAUSE_MS);
    try {
      return run();
    } catch (error) {
      if (!isBusy(error) || monotonicTime() > deadline) throw error;
    }
  }
}
