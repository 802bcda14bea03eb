import { z } from 'zod';
import { refuse } from '../../http/errors.js';
import type { Services } from '../../services.js';
import { Success } from '../../session/views.js';
import { ListPage } from '../admin/list-page.js';
import { get, post } from '../admin/route.js';
import type { WebhookConfig } from '../webhook-configs/webhook-config.js';
import { AttemptView, attemptView, DeliveryView, deliveryView } from './delivery-views.js';
import { rotateSecret } from './rotate-secret.js';
import { sendTest } from './send-test.js';

const READ = { permission: 'webhooks:read' };
const WRITE = { permission: 'webhooks:write' };

export const adminRoutes = [
  post(
    '/webhooks/{id}/test',
    {
      summary: 'Send a test event to a webhook',
      ...WRITE,
      reply: Success,
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ caller, params, request, services }) => {
      const { id } = await endpointOf(services, params);
      await sendTest(services, id, { actorId: caller.user.id, request });
      return { body: { success: true } };
    },
  ),

  post(
    '/webhooks/{id}/rotate-secret',
    {
      summary: 'Give a webhook a new secret; the former one signs as well for 24 hours',
      ...WRITE,
      reply: Success.extend({ secret: z.string() }),
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ params, services }) => {
      const config = await endpointOf(services, params);
      return { body: { success: true, secret: await rotateSecret(services, config) } };
    },
  ),

  get(
    '/webhooks/{id}/deliveries',
    {
      summary: 'What a webhook was told',
      ...READ,
      query: ListPage,
      reply: z.object({ deliveries: z.array(DeliveryView), total: z.number() }),
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ params, query, services }) => {
      const { id } = await endpointOf(services, params);
      const { deliveries, total } = await services.webhooks.log.list(id, query);
      return { body: { deliveries: deliveries.map(deliveryView), total } };
    },
  ),

  get(
    '/deliveries/{id}',
    {
      summary: 'A delivery with its tries',
      ...READ,
      reply: z.object({
        delivery: DeliveryView.extend({ body: z.json(), attempts: z.array(AttemptView) }),
      }),
      errors: ['NOT_FOUND'],
    },
    async ({ params, services }) => {
      const found = await services.webhooks.log.find(params.id ?? '');
      if (!found) throw refuse('NOT_FOUND');
      const { delivery, body, attempts } = found;
      const view = { ...deliveryView(delivery), body: JSON.parse(body) };
      return { body: { delivery: { ...view, attempts: attempts.map(attemptView) } } };
    },
  ),

  post(
    '/deliveries/{id}/replay',
    { summary: 'Send a delivery once more', ...WRITE, reply: Success, errors: ['NOT_FOUND'] },
    async ({ params, services }) => {
      if (!(await services.webhooks.queue.replay(params.id ?? ''))) throw refuse('NOT_FOUND');
      services.parts.webhooks.wake();
      return { body: { success: true } };
    },
  ),
];

/** The outgoing webhook whom the path names. Throws WEBHOOK_NOT_FOUND. */
async function endpointOf(
  services: Services,
  params: Record<string, string>,
): Promise<WebhookConfig> {
  const config = await services.webhookConfigs.find(params.id ?? '');
  if (!config || config.url === null) throw refuse('WEBHOOK_NOT_FOUND');
  return config;
}
