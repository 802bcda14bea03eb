/**
 * The time in ms since the epoch. The only reader of `Date.now`, so that tests can move the clock of
 * the whole service.
 */
export function now(): number {
  return Date.now();
}

/** Milliseconds that only ever grow, for measuring how long something takes; tests do not move it. */
export function monotonicTime(): number {
  return performance.now();
}
