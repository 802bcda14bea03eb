import { FAILURES_TO_PAUSE } from './store.js';

/**
 * Requests under way at once: to one endpoint, and to all that answer quickly or slowly. A claim asks twice
 * for each endpoint, for retries and for new deliveries, and a database may allow only 500 queries in a union.
 */
const PER_ENDPOINT = 4;
const PLACES = { quick: 64, slow: 160 };
/** An endpoint is slow while a request to it takes longer than this. */
const SLOW_MS = 500;

interface Share {
  underWay: number;
  /** How many of those already take long. */
  slowUnderWay: number;
  place: keyof typeof PLACES;
  /** When it was last granted a request: a count, not a time. */
  lastTurn: number;
}

/** Distributes requests over endpoints. Slow endpoints have slots of their own, so that they take none from others. */
export function createShares() {
  // Small, one for each endpoint, and never removed.
  const shares = new Map<string, Share>();
  let turn = 0;

  function shareOf(webhookId: string): Share {
    const blank: Share = { underWay: 0, slowUnderWay: 0, place: 'quick', lastTurn: 0 };
    const share = shares.get(webhookId) ?? blank;
    shares.set(webhookId, share);
    return share;
  }

  return {
    /**
     * How many requests may be started to each endpoint: the fewest under way first, then the one served longest ago. A
     * failing endpoint gets one at a time. `unrecorded` requests, which a crash would repeat, keep their slots.
     */
    grant(due: { webhookId: string; failures: number }[], unrecorded = 0): Map<string, number> {
      turn += 1;
      const granted = new Map<string, number>();
      const taken = { quick: unrecorded, slow: 0 };
      for (const share of shares.values()) taken[share.place] += share.underWay;
      const endpoints = due
        .map(({ webhookId, failures }) => {
          const most = failures < FAILURES_TO_PAUSE ? PER_ENDPOINT : 1;
          return { webhookId, most, share: shareOf(webhookId) };
        })
        .sort((one, other) => one.share.lastTurn - other.share.lastTurn);
      for (let round = 1; round <= PER_ENDPOINT; round += 1) {
        for (const { webhookId, most, share } of endpoints) {
          const { place } = share;
          const count = granted.get(webhookId) ?? 0;
          const mayStart = share.underWay + count < Math.min(round, most);
          if (!mayStart || taken[place] >= PLACES[place]) continue;
          taken[place] += 1;
          share.lastTurn = turn;
          granted.set(webhookId, count + 1);
        }
      }
      return granted;
    },

    /** Counts a request until the returned function is called; calls `onSlow` if it takes long. */
    start(webhookId: string, onSlow: () => void): () => void {
      const share = shareOf(webhookId);
      let isSlow = false;
      share.underWay += 1;
      const timer = setTimeout(() => {
        isSlow = true;
        share.place = 'slow';
        share.slowUnderWay += 1;
        onSlow();
      }, SLOW_MS);
      return () => {
        clearTimeout(timer);
        share.underWay -= 1;
        if (isSlow) share.slowUnderWay -= 1;
        else if (share.slowUnderWay === 0) share.place = 'quick';
      };
    },
  };
}
