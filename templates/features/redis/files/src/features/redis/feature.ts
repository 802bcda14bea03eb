import type { Config } from '../../config.js';
import { defineFeature } from '../../feature.js';
import type { Counters } from '../../http/limits.js';
import { secret, variable } from '../../process/environment.js';
import type { Log } from '../../process/log.js';

const redisUrl = variable('a URL such as redis://user:secret@host:6379', (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRedis = url?.protocol === 'redis:' || url?.protocol === 'rediss:';
  // ioredis reads a query as options, which could override the time-outs.
  return isRedis && url.hostname !== '' && !url.search && !url.hash ? text : undefined;
});

export const redis = defineFeature({
  variables: {
    REDIS_URL: secret(redisUrl.optional()),
    REDIS_PREFIX: variable('letters, digits and any of _:{}.-', (text) =>
      /^[\w:{}.-]{1,64}$/.test(text) ? text : undefined,
    ).prefault('auth'),
  },
  async counters({ REDIS_URL, REDIS_PREFIX }: Config, log: Log): Promise<Counters | undefined> {
    if (REDIS_URL === undefined) return undefined;
    // Loaded only if used: the client would slow every start.
    const { redisCounters } = await import('./counters.js');
    return redisCounters(REDIS_URL, REDIS_PREFIX, log);
  },
});
