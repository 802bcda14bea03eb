import { setImmediate } from 'node:timers/promises';
import type { Log } from './log.js';

/** Work that no response waits for; a shutdown loses none of it. */
export function createBackground(log: Log) {
  const running = new Set<Promise<unknown>>();

  return {
    /**
     * Starts `work` after the current turn, so that a response takes the same time whether or not
     * there is work to do. A failure is logged under `name` and goes no further.
     */
    run(name: string, work: () => Promise<unknown>): void {
      const attempted = setImmediate()
        .then(work)
        .catch((error: unknown) => log.error({ err: error, work: name }, 'background work failed'))
        .finally(() => running.delete(attempted));
      running.add(attempted);
    },

    /** Resolves once nothing is under way; shutdown and tests wait for it. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

export type Background = ReturnType<typeof createBackground>;
