import type { Services } from '../../services.js';
import { polling } from './polling.js';
import { queuedWakeUps } from './queued-wake-ups.js';
import type { WakeUps } from './wake-ups.js';

/** Wake-ups that all instances share through the Redis of REDIS_URL; without it each has its own. */
export function openWakeUps({ config, log }: Services): WakeUps {
  const { REDIS_URL: url, REDIS_PREFIX: prefix } = config;
  return url === undefined ? polling() : queuedWakeUps(url, prefix, log);
}
