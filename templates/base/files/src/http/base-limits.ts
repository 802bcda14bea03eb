/** `points` requests in `seconds`, counted for each key. */
export interface LimitRule {
  points: number;
  /** The window, in seconds. */
  seconds: number;
  /** `process` is counted in this process's memory, for the hot path; `shared` in the database. */
  scope: 'process' | 'shared';
  /** True: each time the limit is hit within a day, the wait doubles. */
  isGrowing?: boolean;
  /** True: it bounds guesses at a code, and counts with RATE_LIMIT=off as well. */
  boundsGuesses?: boolean;
}

export const baseLimits = {
  /** Every request of an address. */
  address: { points: 600, seconds: 60, scope: 'process' },
  refreshOfSession: { points: 30, seconds: 60, scope: 'shared' },
  /** Mails of one account: the number, and the pause between two. */
  mailsOfAccount: { points: 5, seconds: 3600, scope: 'shared' },
  mailPauseOfAccount: { points: 1, seconds: 60, scope: 'shared' },
} as const satisfies Record<string, LimitRule>;
