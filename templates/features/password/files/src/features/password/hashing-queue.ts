import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { refuse } from '../../http/errors.js';
import { monotonicTime } from '../../process/clock.js';

/** bcrypt runs in libuv's thread pool: more hashes at a time would only wait inside it. */
const THREADS = Math.min(availableParallelism(), 4);
const hashing = pLimit(THREADS);

/** From the request to the end of the hash. Anybody can request a sign-in: a flood must not make honest ones hang. */
export const SIGN_IN_MS = 2_000;
/** For whoever holds a session or a token, or is limited otherwise. */
export const PATIENT_MS = 10_000;
const RETRY_AFTER_SECONDS = '2';
/** The weight of the latest hash in the average. */
const LATEST_WEIGHT = 0.2;

/** How long a hash has taken lately, in ms; 0 until the first has ended. */
let usualMs = 0;

/**
 * Runs `work`, which hashes, off the event loop and a few at a time. Throws UNAVAILABLE with
 * Retry-After as soon as it is clear that it would take longer than `longestMs`.
 */
export async function inTurn<T>(longestMs: number, work: () => Promise<T>): Promise<T> {
  const queuedAt = monotonicTime();
  const turns = Math.ceil((hashing.activeCount + hashing.pendingCount) / THREADS);
  if (hashing.activeCount === THREADS && (turns + 1) * usualMs > longestMs) throw busy();
  return hashing(async () => {
    const startedAt = monotonicTime();
    const waitedMs = startedAt - queuedAt;
    // Only after a wait: at a high cost one hash alone may take longer.
    if (waitedMs > usualMs && waitedMs + usualMs > longestMs) throw busy();
    try {
      return await work();
    } finally {
      const elapsedMs = monotonicTime() - startedAt;
      usualMs = usualMs === 0 ? elapsedMs : usualMs + LATEST_WEIGHT * (elapsedMs - usualMs);
    }
  });
}

function busy() {
  return refuse('UNAVAILABLE', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}
