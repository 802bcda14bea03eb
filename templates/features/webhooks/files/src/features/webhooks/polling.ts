import type { WakeUps } from './wake-ups.js';

/** What is due is looked for this often, whether or not somebody wakes us: retries, other instances. */
const POLL_MS = 500;
/** Events of one moment are claimed together. */
const GATHER_MS = 20;

/** Looks at intervals, and soon after `now`. `isNeeded` may leave out a look of the clock's. */
export function polling(isNeeded: () => boolean = () => true): WakeUps {
  let lookNow: () => void = () => {};
  let clock: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
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
    // The clock comes round.
    at: () => {},
    async stop() {
      clearInterval(clock);
      clearTimeout(gathering);
    },
  };
}
