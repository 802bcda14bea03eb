import * as z from 'zod';
import type { ConfigCheck } from '../../config.js';
import type { Db } from '../../db/schema.js';
import type { Subscriber } from '../../events/bus.js';
import { defineFeature, event } from '../../feature.js';
import { httpUrl } from '../../process/addresses.js';
import { onOff } from '../../process/environment.js';
import type { Services } from '../../services.js';
import { commonFields, type WebhookShape } from '../webhook-configs/feature.js';
import { createDispatcher } from './dispatcher.js';
import { recorder } from './recorder.js';
import { newSecret } from './signing.js';
import { webhooksStore } from './store.js';

const DAY_MS = 24 * 60 * 60_000;

/** User info is refused because it would end up in logs. The address is checked at each connection. */
const receiverUrl = z
  .url({ protocol: /^https?$/, error: 'Use an http or https URL.', abort: true })
  .max(2048)
  .refine((text) => httpUrl(text), 'A URL must not contain user info.');

const fields = z.strictObject({
  ...commonFields,
  url: receiverUrl,
  maxRetries: z.number().int().min(0).max(20).optional(),
  retryDelayMs: z.number().int().min(1).max(DAY_MS).optional(),
});

/** An outgoing webhook. */
export const endpointShape: WebhookShape = {
  describes: ({ url }) => url !== null,
  create: fields,
  patch: fields.partial(),
  generateSecret: newSecret,
};

const configWarning: ConfigCheck = ({ isProduction, WEBHOOK_ALLOW_PRIVATE }) =>
  isProduction && WEBHOOK_ALLOW_PRIVATE
    ? 'WEBHOOK_ALLOW_PRIVATE=on: webhooks reach the private network'
    : undefined;

export const webhooks = defineFeature({
  variables: {
    WEBHOOK_ALLOW_PRIVATE: onOff().prefault('off'),
  },
  configWarning,
  events: {
    'identity.webhook.deactivated': event<{ webhookId: string; reason: 'gone' | 'unreachable' }>(),
    'identity.webhook.test': event<{ webhookId: string }>(),
  },
  webhookShape: endpointShape,
  recorder,
  // Sends a committed event at once instead of at the next poll.
  subscriber:
    ({ workers }: Services): Subscriber =>
    () =>
      workers.webhooks.wake(),
  worker: createDispatcher,
  stores: (db: Db) => ({ webhooks: webhooksStore(db) }),
});
