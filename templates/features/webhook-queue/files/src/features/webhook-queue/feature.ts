import { defineFeature } from '../../feature.js';
import type { Services } from '../../services.js';
import type { SharedWakeUps } from '../webhooks/wake-ups.js';
import { queuedWakeUps } from './queued-wake-ups.js';

/** With REDIS_URL all instances share their wake-ups through Redis. */
export const webhookQueue = defineFeature({
  sharedWakeUps({ config, log }: Services): SharedWakeUps | undefined {
    const { REDIS_URL: url, REDIS_PREFIX: prefix } = config;
    return url === undefined ? undefined : queuedWakeUps(url, prefix, log);
  },
});
