import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import { type LimitName, rateLimits } from '../rate-limits.js';
import type { LimitRule } from './base-limits.js';
import { networkOf } from './client-network.js';
import type { Counter, Counters } from './counter.js';
import { refuse } from './errors.js';
import type { Limit } from './route.js';

/** How much of a limit is left, as the RateLimit headers tell it. */
export interface LimitState {
  limit: number;
  remaining: number;
  /** Seconds until the count starts anew. */
  reset: number;
}

export interface Limiter {
  /** Counts one request against each limit; returns the tightest. Throws RATE_LIMITED. */
  consume(limits: Limit[]): Promise<LimitState | undefined>;
  /** Starts a count anew, after a success. */
  reset(name: LimitName, key: string): Promise<void>;
  /** Closes what was opened for counting alone. */
  close(): Promise<void>;
}

const LONGEST_BLOCK_SECONDS = 3600;
const BLOCK_MEMORY_SECONDS = 24 * 3600;
const LONGEST_KEY = 128;

/** The limiter over the one table of limits; with RATE_LIMIT=off it counts nothing but guesses at codes. */
export function createLimiter(config: Config, shared: Counters): Limiter {
  const counters = new Map(
    Object.entries<LimitRule>(rateLimits).map(([name, rule]) => [
      name,
      { rule, counter: counterOf(name, rule, shared) },
    ]),
  );
  const blocks = shared.createLimiter({
    keyPrefix: 'blocks',
    points: Number.MAX_SAFE_INTEGER,
    duration: BLOCK_MEMORY_SECONDS,
  });

  async function consume([name, key]: Limit): Promise<LimitState> {
    const entry = counters.get(name);
    if (!entry) throw new Error(`No rate limit is called ${name}.`);
    try {
      return stateOf(entry.rule, await entry.counter.consume(keyOf(key)));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      if (entry.rule.isGrowing && refused.consumedPoints === entry.rule.points + 1) {
        throw await lengthenBlock(name, key, entry);
      }
      throw refused;
    }
  }

  /**
   * Doubles the wait with each block of the day, so that patient guessing gains nothing; the answer
   * tells of the longer wait.
   */
  async function lengthenBlock(
    name: LimitName,
    key: string,
    { rule, counter }: { rule: LimitRule; counter: Counter },
  ): Promise<RateLimiterRes> {
    const { consumedPoints } = await blocks.consume(`${name}:${keyOf(key)}`);
    const seconds = Math.min(rule.seconds * 2 ** (consumedPoints - 1), LONGEST_BLOCK_SECONDS);
    return counter.block(keyOf(key), seconds);
  }

  function isCounted(name: LimitName): boolean {
    return config.RATE_LIMIT || counters.get(name)?.rule.boundsGuesses === true;
  }

  return {
    async consume(limits) {
      let tightest: LimitState | undefined;
      for (const limit of limits.filter(([name]) => isCounted(name))) {
        try {
          const state = await consume(limit);
          if (!tightest || state.remaining < tightest.remaining) tightest = state;
        } catch (refused) {
          if (refused instanceof RateLimiterRes) throw tooMany(limit[0], refused);
          throw refused;
        }
      }
      return tightest;
    },
    async reset(name, key) {
      if (isCounted(name)) await counters.get(name)?.counter.delete(keyOf(key));
    },
    close: shared.close,
  };
}

function counterOf(name: string, rule: LimitRule, shared: Counters): Counter {
  const options = { keyPrefix: name, points: rule.points, duration: rule.seconds };
  return rule.scope === 'process' ? new RateLimiterMemory(options) : shared.createLimiter(options);
}

/** What somebody typed can be longer than the column of the keys; a digest counts as well. */
function keyOf(key: string): string {
  if (key.length > LONGEST_KEY) return createHash('sha256').update(key).digest('hex');
  return networkOf(key);
}

function stateOf(rule: LimitRule, result: RateLimiterRes): LimitState {
  return {
    limit: rule.points,
    remaining: result.remainingPoints,
    reset: Math.ceil(result.msBeforeNext / 1000),
  };
}

function tooMany(name: LimitName, refused: RateLimiterRes) {
  const state = stateOf(rateLimits[name], refused);
  return refuse('RATE_LIMITED', {
    headers: { 'retry-after': String(Math.max(1, state.reset)), ...limitHeaders(state) },
  });
}

/** The headers of draft-ietf-httpapi-ratelimit-headers-06 §5. */
export function limitHeaders(state: LimitState | undefined): Record<string, string> {
  if (!state) return {};
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(Math.max(0, state.remaining)),
    'ratelimit-reset': String(state.reset),
  };
}
