import type { Log } from './log.js';

/** Work that an answer does not wait for. */
export interface Background {
  /**
   * Starts `work` after the current turn, so that an answer takes the same time whether or not
   * there is something to do. A failure is logged under `name` and goes no further.
   */
  run(name: string, work: () => Promise<unknown>): void;
  /** Resolves once nothing is under way; shutdown and tests wait for it. */
  idle(): Promise<void>;
}

/** Keeps hold of background work, so that shutting down loses none of it. */
export function createBackground(log: Log): Background {
  const running = new Set<Promise<void>>();

  async function attempt(name: string, work: () => Promise<unknown>): Promise<void> {
    await new Promise((resume) => setImmediate(resume));
    try {
      await work();
    } catch (error) {
      log.error({ err: error, work: name }, 'background work failed');
    }
  }

  return {
    run(name, work) {
      const attempted = attempt(name, work).finally(() => running.delete(attempted));
      running.add(attempted);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
