import { now } from '../../clock.js';
import type { WakeUps } from './wake-ups.js';

/** What is due is looked for this often, whether or not somebody wakes us: retries, other instances. */
const POLL_MS = 500;
/** Events of one moment are claimed together. */
const GATHER_MS = 20;
/** Retries that are further away the clock finds: half a second is less than their tenth of jitter. */
const ALARM_MS = 5_000;

/**
 * Looks at intervals, soon after `now`, and at the times of retries that are near. `isNeeded` may leave
 * out a look of the clock's.
 */
export function polling(isNeeded: () => boolean = () => true): WakeUps {
  let lookNow: () => void = () => {};
  let clock: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
  /** By when they go off, in steps of GATHER_MS: many retries of one moment need one look. */
  const alarms = new Map<number, NodeJS.Timeout>();

  function goOff(step: number): void {
    alarms.delete(step);
    lookNow();
  }

  return {
    async start(look) {
      lookNow = () => void look();
      clock = setInterval(() => isNeeded() && lookNow(), POLL_MS).unref();
      lookNow();
    },
    now() {
      gathering ??= setTimeout(() => {
        gathering = undefined;
        lookNow();
      }, GATHER_MS);
    },
    at(time) {
      const step = Math.ceil(time / GATHER_MS);
      const delay = step * GATHER_MS - now();
      if (delay > ALARM_MS || alarms.has(step)) return;
      alarms.set(step, setTimeout(goOff, delay, step).unref());
    },
    async stop() {
      clearInterval(clock);
      clearTimeout(gathering);
      for (const alarm of alarms.values()) clearTimeout(alarm);
    },
  };
}
