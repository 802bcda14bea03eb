import type { Config } from '../../config.js';
import { defineFeature } from '../../feature.js';
import type { Counters } from '../../http/limits.js';
import { serverUrl } from '../../process/addresses.js';
import { secret, variable } from '../../process/environment.js';
import type { Log } from '../../process/log.js';

// ioredis reads a path as the number of a database, and a query as options, which could override the time-outs.
const redisUrl = serverUrl(
  'redis://user:secret@host:6379/0',
  /^rediss?:\/\/[^/?#]+(?:\/\d{0,4})?$/i,
);

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
