import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicTime } from '../../clock.js';

/** Longer than the few queries of a check take, by far. */
const STEP_MS = 100;

/**
 * Holds a refusal back until a full step of 100 ms is over. A guess at a code that exists costs a
 * write to the database, any other guess none: who measures must not see the difference.
 */
export async function refuseEvenly<T>(work: () => Promise<T>): Promise<T> {
  const start = monotonicTime();
  try {
    return await work();
  } catch (error) {
    await sleep(STEP_MS - ((monotonicTime() - start) % STEP_MS));
    throw error;
  }
}
