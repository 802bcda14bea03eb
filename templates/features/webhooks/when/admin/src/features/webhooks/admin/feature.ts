import * as z from 'zod';
import { defineFeature } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import { type Route, Success, Time } from '../../../http/route.js';
import { now } from '../../../process/clock.js';
import type { Services } from '../../../services.js';
import { adminPrefix } from '../../admin/feature.js';
import { list } from '../../admin/list.js';
import { get, post } from '../../admin/route.js';
import { webhookOf } from '../../webhook-configs/admin/feature.js';
import { changeWebhook } from '../../webhook-configs/feature.js';
import type { LoggedDelivery } from '../delivery-log.js';
import { newSecret } from '../signing.js';

const DAY_MS = 24 * 60 * 60_000;
const READ = { permission: 'webhooks:read' };
const WRITE = { permission: 'webhooks:write' };

const DeliveryView = z.object({
  id: z.string(),
  webhookId: z.string(),
  event: z.string(),
  state: z.enum(['waiting', 'retrying', 'delivered', 'exhausted', 'failed']),
  attemptCount: z.number(),
  /** Null once there will be no further attempt. */
  nextAt: Time.nullable(),
  createdAt: Time,
});

const AttemptView = z.object({
  id: z.string(),
  startedAt: Time,
  durationMs: z.number(),
  status: z.number().nullable(),
  response: z.string().nullable(),
  error: z.string().nullable(),
});

const Delivery = DeliveryView.extend({ body: z.json(), attempts: z.array(AttemptView) });

const Failing = z.object({
  failing: z.number(),
  webhooks: z.array(z.object({ id: z.string(), url: z.string().nullable(), failing: z.number() })),
});

export type Failing = z.output<typeof Failing>;
export type DeliveryView = z.output<typeof DeliveryView>;
export type Delivery = z.output<typeof Delivery>;

function shown({ attempts: attemptCount, ...delivery }: LoggedDelivery) {
  const isUnfinished = delivery.state === 'waiting' || delivery.state === 'retrying';
  return { ...delivery, attemptCount, nextAt: isUnfinished ? delivery.nextAt : null };
}

/**
 * An endpoint that something is to be sent to at once, whatever has failed before.
 * Throws WEBHOOK_NOT_FOUND, WEBHOOK_INACTIVE.
 */
async function readyEndpoint(services: Services, given: string | undefined) {
  const { id, isActive } = await webhookOf(services, given, 'url');
  if (!isActive) throw refuse('WEBHOOK_INACTIVE');
  await services.webhooks.clearFailures([id]);
  return id;
}

export const webhooksAdmin = defineFeature({
  prefix: adminPrefix,
  errors: { WEBHOOK_INACTIVE: [409, 'This webhook is inactive: activate it first.'] },
  exportPermissions: { webhook_events: 'webhooks:read' },
  routes: (): Route[] => [
    post('/webhooks/{id}/test', {
      summary: 'Send a test event to a webhook',
      ...WRITE,
      errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_INACTIVE'],
      handle: async ({ cause, params, services }) => {
        const webhookId = await readyEndpoint(services, params.id);
        services.events.publish('identity.webhook.test', { webhookId }, cause);
      },
    }),

    post('/webhooks/{id}/rotate-secret', {
      summary: 'Give an outgoing webhook a new secret; the old one still signs webhook-signature',
      ...WRITE,
      reply: Success.extend({ secret: z.string() }),
      errors: ['WEBHOOK_NOT_FOUND'],
      handle: async ({ params, services }) => {
        const config = await webhookOf(services, params.id, 'url');
        const secret = newSecret();
        await changeWebhook(services, config, { secret });
        return { body: { success: true, secret } };
      },
    }),

    list('/webhooks/{id}/deliveries', {
      summary: "List a webhook's deliveries",
      ...READ,
      of: 'deliveries',
      item: DeliveryView,
      errors: ['WEBHOOK_NOT_FOUND'],
      read: async ({ params, query, services }) => {
        const { id } = await webhookOf(services, params.id, 'url');
        const { items, rest } = await services.webhooks.log.list(id, query);
        return { items: items.map((each) => DeliveryView.parse(shown(each))), rest };
      },
    }),

    get('/deliveries/failing', {
      summary: 'Count deliveries that are being retried, or were given up within 24 hours',
      ...READ,
      reply: Failing,
      handle: async ({ services }) => {
        const webhooks = await services.webhooks.log.countFailing(now() - DAY_MS);
        const failing = webhooks.reduce((sum, each) => sum + each.failing, 0);
        return { body: { failing, webhooks } };
      },
    }),

    get('/deliveries/{id}', {
      summary: 'Read a delivery with its attempts',
      ...READ,
      reply: z.object({ delivery: Delivery }),
      errors: ['NOT_FOUND'],
      handle: async ({ params, services }) => {
        const found = await services.webhooks.log.find(params.id ?? '');
        if (!found) throw refuse('NOT_FOUND');
        const { delivery, attempts, body } = found;
        const read = { ...shown(delivery), attempts, body: JSON.parse(body) };
        return { body: { delivery: Delivery.parse(read) } };
      },
    }),

    post('/deliveries/{id}/replay', {
      summary: 'Send a delivery again',
      ...WRITE,
      errors: ['NOT_FOUND', 'WEBHOOK_NOT_FOUND', 'WEBHOOK_INACTIVE'],
      handle: async ({ params, services }) => {
        const found = await services.webhooks.log.find(params.id ?? '');
        if (!found) throw refuse('NOT_FOUND');
        await readyEndpoint(services, found.delivery.webhookId);
        await services.webhooks.log.replay(found.delivery.id);
        services.workers.webhooks.wake();
      },
    }),
  ],
});
