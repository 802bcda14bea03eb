import { now } from '../../process/clock.js';
import type { Services } from '../../services.js';

/** Wake-ups that all instances share. A lost one costs only time: the rows stay, and each instance polls. */
export interface SharedWakeUps {
  /** Starts calling `look`, which never throws, when another instance announces something. */
  start(look: () => Promise<void>): Promise<void>;
  /** Makes one free instance look; false if this one has to look itself. */
  announce(): boolean;
  stop(): Promise<void>;
}

declare module '../../feature.js' {
  interface FeatureParts {
    /** Undefined if not configured. */
    sharedWakeUps?: (services: Services) => SharedWakeUps | undefined;
  }
}

/** Polling finds what no wake-up announced: distant retries, events of other instances. */
const POLL_MS = 500;
/** Deliveries that become due within this time are claimed together. */
const GATHER_MS = 20;
/** Later retries are left to polling: half a second is less than their jitter of a tenth. */
const ALARM_MS = 5_000;

/** Calls `look` at intervals, soon after a wake-up, and when near retries are due. */
export function createWakeUps(services: Services, look: () => Promise<void>) {
  const shared = services.features.flatMap(({ sharedWakeUps }) => sharedWakeUps?.(services) ?? []);
  let polling: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;

  function lookSoon(): void {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      void look();
    }, GATHER_MS);
  }

  return {
    async start() {
      polling = setInterval(look, POLL_MS).unref();
      void look();
      for (const each of shared) await each.start(look);
    },
    /** A delivery is due now. */
    now() {
      if (!shared.some((each) => each.announce())) lookSoon();
    },
    /** A delivery will be due at `time` (ms). */
    at(time: number) {
      const delay = time - now();
      if (delay <= ALARM_MS) setTimeout(lookSoon, delay).unref();
    },
    async stop() {
      clearInterval(polling);
      clearTimeout(gathering);
      for (const each of shared) await each.stop();
    },
  };
}
