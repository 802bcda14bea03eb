import { Redis } from 'ioredis';
import type { Outage } from '../../process/log.js';

/** How long a request waits for Redis. */
export const ANSWER_MS = 500;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Connects to REDIS_URL in the background and reconnects forever. A connection that leaves a command
 * unanswered is closed, so that later requests do not wait. While it is down, commands fail at once: nothing
 * is queued, nothing is sent twice.
 */
export function connectRedis(url: string, outage: Outage): Redis {
  const redis = new Redis(url, {
    connectTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    retryStrategy: (times) => Math.min(50 * times, LONGEST_PAUSE_MS),
    // After a failover the former primary still answers, but refuses writes.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  });
  redis.on('error', (error: Error & { command?: { name: string } }) => {
    outage.begin(error);
    // Otherwise ioredis would go on in database 0.
    if (error.command?.name === 'select') redis.disconnect(true);
  });
  return redis.on('ready', outage.end);
}
