import { createHash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import { type Counter, countInMemory, type LimiterOptions } from '../db/rate-limits.js';
import type { LimitName } from '../feature.js';
import { HttpError, refuse } from './errors.js';
import type { Limit } from './route.js';

/** `points` requests in `seconds`, counted for each key. */
export interface LimitRule {
  points: number | ((config: Config) => number);
  /** The window, in seconds. */
  seconds: number;
  /**
   * `process` is counted in this process's memory, for the hot path; `strict` in the database alone. By default the
   * database or a feature's own store counts, and memory while that fails.
   */
  scope?: 'process' | 'strict';
  /** True: each time the limit is hit within a day, the wait doubles. */
  isGrowing?: boolean;
  /** True for a limit that codes, one-time use or costs rely on: it applies even with RATE_LIMIT=off. */
  isAlwaysOn?: boolean;
}

export const httpLimits = {
  /** All requests from one IP. */
  perIp: { points: 600, seconds: 60, scope: 'process' },
} as const satisfies Record<string, LimitRule>;

/** A store of counters that all instances share, beside the database. */
export interface Counters {
  createLimiter(options: LimiterOptions): Counter;
  close(): Promise<void>;
}

/** How much of a limit is left, as the RateLimit headers report it. */
export interface LimitState {
  limit: number;
  remaining: number;
  /** Seconds until the count restarts. */
  reset: number;
}

const LONGEST_BLOCK_SECONDS = 3600;
const BLOCK_MEMORY_SECONDS = 24 * 3600;

/** The limiter for all rate limits; with RATE_LIMIT=off it counts only those that are always on. */
export function createLimiter(
  config: Config,
  rules: Record<string, LimitRule>,
  shared: Pick<Counters, 'createLimiter'>,
  database: Pick<Counters, 'createLimiter'>,
) {
  const counters = new Map<string, { rule: LimitRule; points: number; counter: Counter }>();
  for (const [name, rule] of Object.entries(rules)) {
    const points = typeof rule.points === 'number' ? rule.points : rule.points(config);
    const options = { keyPrefix: name, points, duration: rule.seconds };
    const scopes = {
      process: () => countInMemory(options),
      strict: () => database.createLimiter({ ...options, isStrict: true }),
      shared: () => shared.createLimiter(options),
    };
    counters.set(name, { rule, points, counter: scopes[rule.scope ?? 'shared']() });
  }
  const blocks = shared.createLimiter({
    keyPrefix: 'blocks',
    points: Number.MAX_SAFE_INTEGER,
    duration: BLOCK_MEMORY_SECONDS,
  });

  /** Undefined if this limit is switched off. */
  function counted(name: LimitName) {
    const entry = counters.get(name);
    if (!entry) throw new Error(`No rate limit is called ${name}.`);
    return config.RATE_LIMIT || entry.rule.isAlwaysOn ? entry : undefined;
  }

  async function consume([name, plainKey]: Limit): Promise<LimitState | undefined> {
    const entry = counted(name);
    if (!entry) return undefined;
    const { rule, points, counter } = entry;
    const key = keyOf(plainKey);
    try {
      return stateOf(points, await counter.consume(key));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const isFirst = refused.consumedPoints === points + 1;
      if (!rule.isGrowing || !isFirst) throw tooMany(points, refused);
      // The wait doubles with each block of the day, so that patient guessing gains nothing.
      const { consumedPoints } = await blocks.consume(`${name}:${key}`);
      const seconds = Math.min(rule.seconds * 2 ** (consumedPoints - 1), LONGEST_BLOCK_SECONDS);
      throw tooMany(points, await counter.block(key, seconds));
    }
  }

  /** Counts one request against each limit; returns the tightest. Throws RATE_LIMITED. */
  async function consumeAll(limits: Limit[]): Promise<LimitState | undefined> {
    const states: LimitState[] = [];
    for (const limit of limits) {
      const state = await consume(limit);
      if (state) states.push(state);
    }
    return states.sort((a, b) => a.remaining - b.remaining)[0];
  }

  return {
    consume: consumeAll,
    /** The same, but returns false instead of throwing RATE_LIMITED, where the response must not reveal the limit. */
    async allows(limits: Limit[]): Promise<boolean> {
      try {
        await consumeAll(limits);
        return true;
      } catch (error) {
        if (error instanceof HttpError) return false;
        throw error;
      }
    },
    /** Takes back one counted request that turned out not to be a guess. */
    async giveBack(name: LimitName, key: string): Promise<void> {
      await counted(name)?.counter.reward(keyOf(key));
    },
    /** Resets a count, after a success. */
    async reset(name: LimitName, key: string): Promise<void> {
      await counted(name)?.counter.delete(keyOf(key));
    },
  };
}

export type Limiter = ReturnType<typeof createLimiter>;

/** How many 16-bit groups name an IPv6 network. */
const NETWORK_GROUPS = 4;

/**
 * A key as it is stored. A client is counted by its IPv4 address, or by the /64 network of its IPv6
 * address, since whoever has one address of a /64 has all of them (RFC 4291 §2.5.1). Any other key
 * is hashed: what was typed as an email address may be a secret, and longer than the column.
 */
function keyOf(key: string): string {
  if (isIPv4(key)) return key;
  // Only ipaddr.js accepts `12345678`; only Node accepts some addresses that ipaddr.js throws for.
  if (!isIPv6(key) || !ipaddr.isValid(key)) return createHash('sha256').update(key).digest('hex');
  const parsed = ipaddr.process(key);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

function stateOf(points: number, result: RateLimiterRes): LimitState {
  return {
    limit: points,
    remaining: result.remainingPoints,
    reset: Math.ceil(result.msBeforeNext / 1000),
  };
}

function tooMany(points: number, refused: RateLimiterRes) {
  const state = stateOf(points, refused);
  return refuse('RATE_LIMITED', {
    headers: { 'retry-after': String(Math.max(1, state.reset)), ...limitHeaders(state) },
  });
}

/** The headers of draft-ietf-httpapi-ratelimit-headers-06 §5. */
export function limitHeaders(state: LimitState | undefined): Record<string, string> {
  if (!state) return {};
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': String(state.reset),
  };
}
