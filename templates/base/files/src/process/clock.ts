/**
 * The time in ms since the epoch. The only reader of `Date.now`, so that tests can move the clock of
 * the whole service.
 */
export function now(): number {
  return Date.now();
}

/** A monotonic time in ms, for measuring how long something takes; tests do not move it. */
export function monotonicTime(): number {
  return performance.now();
}

/** Something took too long. It continues, but nobody waits for it. */
export class TimeoutError extends Error {}

/** The result of `work`. Rejects with a TimeoutError if it takes longer than `ms`. */
export function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError(`no answer in ${ms} ms`)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
