import { Redis } from 'ioredis';
import type { Outage } from './outage.js';

/** Without an answer in this time there is none: a request waits for Redis once and not much longer. */
export const ANSWER_MS = 500;
const LONGEST_PAUSE_MS = 1_000;

/**
 * What holds for every connection. It is tried again for ever; once the server leaves a command without
 * an answer the connection is given up, so that only the first of many requests has waited.
 */
export const patience = {
  connectTimeout: ANSWER_MS,
  socketTimeout: ANSWER_MS,
  retryStrategy: (times: number) => Math.min(50 * times, LONGEST_PAUSE_MS),
  /** After a failover the former primary still answers, but takes no writes. */
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
};

/**
 * Opens a connection to REDIS_URL and does not wait for it. Its commands fail at once while it is down:
 * nothing is queued, nothing is sent twice.
 */
export function connectRedis(url: string, outage: Outage): Redis {
  const redis = new Redis(url, {
    ...patience,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  });
  return redis.on('error', outage.begin).on('ready', outage.end);
}

/** Resolves once the connection can be used, or has failed for the first time. */
export function settled(redis: Redis): Promise<void> {
  return new Promise((resolve) => {
    if (redis.status === 'ready') return resolve();
    for (const event of ['ready', 'error', 'end']) redis.once(event, () => resolve());
  });
}
