import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicTime } from '../process/clock.js';
import { randomBelow } from '../process/random.js';
import { isConflict, isMissingReference } from './errors.js';

/** Deadlocks of a burst dissolve within two or three; past six the service answers 503. */
const ATTEMPTS = 6;
/** Whoever waits for a lock each time would wait for too long. */
const PATIENCE_MS = 3_000;
const SHORTEST_WAIT_MS = 10;

/**
 * Does `work` again if the database gave it up in favour of other work (deadlock, serialization). What
 * the lost attempt did in the database is undone; `work` must leave no other traces. The waits double
 * and are drawn at random, so that those who collided do not collide again.
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  const deadline = monotonicTime() + PATIENCE_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isLast = attempt === ATTEMPTS || monotonicTime() > deadline;
      if (isLast || !isConflict(error)) throw error;
      await sleep(randomBelow(SHORTEST_WAIT_MS * 2 ** attempt));
    }
  }
}

/**
 * Does `work`, and once more if a row that it refers to was deleted meanwhile: the second time it finds
 * that the row is gone. What fails again has another reason. `work` must be undone when it fails.
 */
export async function retryOnMissingReference<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isMissingReference(error)) throw error;
    return work();
  }
}
