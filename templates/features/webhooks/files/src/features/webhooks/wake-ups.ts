import { now } from '../../process/clock.js';
import type { Services } from '../../services.js';

/** Tells a dispatcher when to look for deliveries. A lost wake-up costs only time: the rows stay. */
export interface WakeUps {
  /** Starts calling `look`, which never throws. */
  start(look: () => Promise<void>): Promise<void>;
  /** A delivery is due now. */
  now(): void;
  /** A delivery will be due at `time` (ms). */
  at(time: number): void;
  /** Stops calling `look`. */
  stop(): Promise<void>;
}

declare module '../../feature.js' {
  interface FeatureParts {
    /** Wake-ups shared by all instances; undefined if not configured. */
    wakeUps?: (services: Services) => WakeUps | undefined;
  }
}

/** The shared wake-ups of a feature, else this process's own polling. */
export function openWakeUps(services: Services): WakeUps {
  for (const { wakeUps } of services.features) {
    const shared = wakeUps?.(services);
    if (shared) return shared;
  }
  return polling();
}

/** Polling finds what no wake-up announced: distant retries, events of other instances. */
const POLL_MS = 500;
/** What becomes due within this time is claimed together. */
const GATHER_MS = 20;
/** Later retries are left to polling: its half second is less than their jitter of a tenth. */
const ALARM_MS = 5_000;

/**
 * Looks at intervals, soon after `now`, and when near retries are due.
 * @param isDue asked at each interval; false skips it
 */
export function polling(isDue: () => boolean = () => true): WakeUps {
  let lookNow: () => void = () => {};
  let clock: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;

  function lookSoon(): void {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      lookNow();
    }, GATHER_MS);
  }

  return {
    async start(look) {
      lookNow = () => void look();
      clock = setInterval(() => isDue() && lookNow(), POLL_MS).unref();
      lookNow();
    },
    now: lookSoon,
    at(time) {
      const delay = time - now();
      if (delay <= ALARM_MS) setTimeout(lookSoon, delay).unref();
    },
    async stop() {
      lookNow = () => {};
      clearInterval(clock);
      clearTimeout(gathering);
    },
  };
}
