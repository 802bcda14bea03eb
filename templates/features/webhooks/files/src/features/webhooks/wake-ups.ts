/** What makes a dispatcher look for deliveries. Whoever misses a wake-up finds the rows at the next one. */
export interface WakeUps {
  /** Begins to call `look`, which never throws. */
  start(look: () => Promise<void>): Promise<void>;
  /** Something is due now. */
  now(): void;
  /** Something will be due at `time` (ms). */
  at(time: number): void;
  /** Afterwards `look` is not called any more. */
  stop(): Promise<void>;
}
