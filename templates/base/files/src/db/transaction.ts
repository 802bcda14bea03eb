import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicTime } from '../process/clock.js';
import { randomInt } from '../process/random.js';
import { isConflict, isMissingReference } from './errors.js';

/** The deadlocks of a burst resolve within two or three attempts; after six the service answers 503. */
const ATTEMPTS = 6;
/** For all attempts together: each may wait for a lock. */
const PATIENCE_MS = 3_000;
const SHORTEST_WAIT_MS = 10;

/**
 * Runs `work`, and again if the database aborted it in favor of other work (deadlock, serialization), or if a row that
 * it refers to was deleted meanwhile: then it finds the row gone. The database undoes an attempt that failed; `work`
 * must have no other side effects. The waits double and are random, so that transactions that collided do not collide again.
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  const deadline = monotonicTime() + PATIENCE_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isLast = attempt === ATTEMPTS || monotonicTime() > deadline;
      if (isLast || !(isConflict(error) || isMissingReference(error))) throw error;
      await sleep(randomInt(SHORTEST_WAIT_MS * 2 ** attempt));
    }
  }
}
