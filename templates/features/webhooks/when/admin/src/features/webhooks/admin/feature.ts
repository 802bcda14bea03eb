import { z } from 'zod';
import { defineFeature } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import { Success } from '../../../http/replies.js';
import type { Route } from '../../../http/route.js';
import type { Services } from '../../../services.js';
import { adminPrefix } from '../../admin/feature.js';
import { get, ListPage, post } from '../../admin/route.js';
import { changeWebhook } from '../../webhook-configs/save-webhook.js';
import type { WebhookConfig } from '../../webhook-configs/store.js';
import type { LoggedDelivery } from '../delivery-log.js';
import { sendTest } from '../recorder.js';
import { newSecret } from '../signing.js';

const READ = { permission: 'webhooks:read' };
const WRITE = { permission: 'webhooks:write' };

const DeliveryView = z.object({
  id: z.string(),
  webhookId: z.string(),
  event: z.string(),
  state: z.enum(['waiting', 'retrying', 'delivered', 'exhausted', 'failed']),
  attemptCount: z.number(),
  /** Null once there will be no further attempt. */
  nextAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});

const AttemptView = z.object({
  id: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  status: z.number().nullable(),
  response: z.string().nullable(),
  error: z.string().nullable(),
});

function deliveryView({ attempts, ...delivery }: LoggedDelivery): z.infer<typeof DeliveryView> {
  const isOpen = delivery.state === 'waiting' || delivery.state === 'retrying';
  return {
    ...delivery,
    attemptCount: attempts,
    nextAt: isOpen ? isoTime(delivery.nextAt) : null,
    createdAt: isoTime(delivery.createdAt),
  };
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** The outgoing webhook named by the path. Throws WEBHOOK_NOT_FOUND. */
async function endpointOf(services: Services, id = ''): Promise<WebhookConfig> {
  const config = await services.webhookConfigs.find(id);
  if (!config || config.url === null) throw refuse('WEBHOOK_NOT_FOUND');
  return config;
}

export const webhooksAdmin = defineFeature({
  prefix: adminPrefix,
  routes: (): Route[] => [
    post(
      '/webhooks/{id}/test',
      {
        summary: 'Send a test event to a webhook',
        ...WRITE,
        reply: Success,
        errors: ['WEBHOOK_NOT_FOUND'],
      },
      async ({ caller, params, request, services }) => {
        const { id } = await endpointOf(services, params.id);
        await sendTest(services, id, { actor: caller.user.id, request });
        return { body: { success: true } };
      },
    ),

    post(
      '/webhooks/{id}/rotate-secret',
      {
        summary: 'Give a webhook a new secret; the old secret keeps signing for 24 hours',
        ...WRITE,
        reply: Success.extend({ secret: z.string() }),
        errors: ['WEBHOOK_NOT_FOUND'],
      },
      async ({ params, services }) => {
        const config = await endpointOf(services, params.id);
        const secret = newSecret();
        await changeWebhook(services, config, { secret });
        return { body: { success: true, secret } };
      },
    ),

    get(
      '/webhooks/{id}/deliveries',
      {
        summary: "List a webhook's deliveries",
        ...READ,
        query: ListPage,
        reply: z.object({ deliveries: z.array(DeliveryView), total: z.number() }),
        errors: ['WEBHOOK_NOT_FOUND'],
      },
      async ({ params, query, services }) => {
        const { id } = await endpointOf(services, params.id);
        const { deliveries, total } = await services.webhooks.log.list(id, query);
        return { body: { deliveries: deliveries.map(deliveryView), total } };
      },
    ),

    get(
      '/deliveries/{id}',
      {
        summary: 'Read a delivery with its attempts',
        ...READ,
        reply: z.object({
          delivery: DeliveryView.extend({ body: z.json(), attempts: z.array(AttemptView) }),
        }),
        errors: ['NOT_FOUND'],
      },
      async ({ params, services }) => {
        const found = await services.webhooks.log.find(params.id ?? '');
        if (!found) throw refuse('NOT_FOUND');
        const attempts = found.attempts.map((attempt) => {
          return { ...attempt, startedAt: isoTime(attempt.startedAt) };
        });
        const delivery = deliveryView(found.delivery);
        return { body: { delivery: { ...delivery, body: JSON.parse(found.body), attempts } } };
      },
    ),

    post(
      '/deliveries/{id}/replay',
      { summary: 'Send a delivery once more', ...WRITE, reply: Success, errors: ['NOT_FOUND'] },
      async ({ params, services }) => {
        if (!(await services.webhooks.log.replay(params.id ?? ''))) throw refuse('NOT_FOUND');
        services.workers.webhooks.wake();
        return { body: { success: true } };
      },
    ),
  ],
});
