import { defineFeature } from '../../feature.js';
import type { Services } from '../../services.js';
import type { WakeUps } from '../webhooks/wake-ups.js';
import { queuedWakeUps } from './queued-wake-ups.js';

/** With REDIS_URL all instances share their wake-ups through Redis. */
function wakeUps({ config, log }: Services): WakeUps | undefined {
  const { REDIS_URL: url, REDIS_PREFIX: prefix } = config;
  return url === undefined ? undefined : queuedWakeUps(url, prefix, log);
}

export const webhookQueue = defineFeature({ wakeUps });
