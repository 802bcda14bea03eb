/**
 * The time in ms since the epoch. The only reader of `Date.now`, so that tests can move the clock of
 * the whole service.
 */
export function now(): number {
  return Date.now();
}
