import * as z from 'zod';
import type { ConfigCheck } from '../../config.js';
import type { Db } from '../../db/schema.js';
import type { EventRecorder, ServiceEvent } from '../../events/bus.js';
import { defineFeature, event } from '../../feature.js';
import { httpUrl } from '../../process/addresses.js';
import { now } from '../../process/clock.js';
import { onOff } from '../../process/environment.js';
import type { Services } from '../../services.js';
import { commonFields, type WebhookShape } from '../webhook-configs/feature.js';
import { createDispatcher } from './dispatcher.js';
import { newSecret } from './signing.js';
import { webhooksStore } from './store.js';

const DAY_MS = 24 * 60 * 60_000;
/** How long deliveries and their attempts are kept. */
const KEPT_MS = 30 * DAY_MS;

/** User info is refused because it would end up in logs. The address is checked at each connection. */
const receiverUrl = z
  .string()
  .max(2048)
  .check(z.url({ protocol: /^https?$/, error: 'Use an http or https URL.', abort: true }))
  .refine((text) => httpUrl(text), 'A URL must not contain user info.');

const fields = z.strictObject({
  ...commonFields,
  url: receiverUrl,
  maxRetries: z.number().int().min(0).max(20).optional(),
  retryDelayMs: z.number().int().min(1).max(DAY_MS).optional(),
});

/** An outgoing webhook. */
export const endpointShape: WebhookShape = {
  key: 'url',
  fields,
  generateSecret: newSecret,
  empty: ({ webhooks }, id) => webhooks.queue.deleteAll(id),
};

/** Writes each event with a delivery for every endpoint that subscribes to it, in the transaction that caused it. */
const recorder: EventRecorder = {
  async awaits({ webhookConfigs }, event) {
    return (await webhookConfigs.findByEvent(event)).length > 0;
  },

  async record(tx, event) {
    const webhookIds = await receiversOf(tx, event);
    if (webhookIds.length === 0) return;
    const { event: name, timestamp, data, metadata } = event;
    // The event's `origin` (actor, IP, user agent) is left out.
    const payload = { event: name, version: '1', timestamp, data, metadata };
    // The width of the column: a script may name anybody, but no user here has a longer id.
    const user_id = metadata.userId?.slice(0, 36) ?? null;
    const body = JSON.stringify(payload);
    await tx.webhooks.queue.enqueue({ name, user_id, body }, webhookIds);
  },

  // Sent at once instead of at the next poll.
  committed: ({ workers }) => workers.webhooks.wake(),
};

async function receiversOf(
  { webhookConfigs }: Services,
  { event, data, metadata }: ServiceEvent,
): Promise<string[]> {
  // For this one endpoint only.
  if (event === 'identity.webhook.test') {
    return (await webhookConfigs.find(data.webhookId)) ? [data.webhookId] : [];
  }
  const configs = await webhookConfigs.findByEvent(event, metadata.tenantId);
  return configs.map(({ id }) => id);
}

const configWarning: ConfigCheck = ({ isProduction, WEBHOOK_ALLOW_PRIVATE }) =>
  isProduction && WEBHOOK_ALLOW_PRIVATE
    ? 'WEBHOOK_ALLOW_PRIVATE=on: webhooks reach the private network'
    : undefined;

export const webhooks = defineFeature({
  variables: { WEBHOOK_ALLOW_PRIVATE: onOff().prefault('off') },
  configWarning,
  events: {
    'identity.webhook.deactivated': event<{ webhookId: string; reason: 'gone' | 'unreachable' }>(),
    'identity.webhook.test': event<{ webhookId: string }>(),
  },
  webhookShape: endpointShape,
  recorder,
  worker: createDispatcher,
  cleanUp: ({ webhooks }: Services): Promise<void> => webhooks.log.purge(now() - KEPT_MS),
  stores: (db: Db) => ({ webhooks: webhooksStore(db) }),
});
