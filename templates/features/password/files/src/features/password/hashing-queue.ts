import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { refuse } from '../../http/errors.js';
import { monotonicTime } from '../../process/clock.js';

/** bcrypt runs in libuv's thread pool: more hashes at a time would only wait inside it. */
const hashing = pLimit(Math.min(availableParallelism(), 4));

/** The longest wait. Anybody can ask for a sign-in: a flood must not make honest ones hang. */
export const SIGN_IN_TIMEOUT_MS = 1_750;
/** For whoever holds a session or a token, or is limited otherwise. */
export const SIGNED_IN_TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = '2';

/**
 * Runs `work`, which hashes, off the event loop and a few at a time. Throws UNAVAILABLE with
 * Retry-After if its turn comes later than `longestMs`.
 */
export function queueHash<T>(longestMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = monotonicTime() + longestMs;
  return hashing(() => {
    if (monotonicTime() <= deadline) return work();
    throw refuse('UNAVAILABLE', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
  });
}
