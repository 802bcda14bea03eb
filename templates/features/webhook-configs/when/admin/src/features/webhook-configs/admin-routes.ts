import { z } from 'zod';
import { refuse } from '../../http/errors.js';
import { parseFields } from '../../http/parse-body.js';
import type { Services } from '../../services.js';
import { Success } from '../../session/views.js';
import { ListPage } from '../admin/list-page.js';
import { del, get, patch, post } from '../admin/route.js';
import { changeWebhook, createWebhook } from './save-webhook.js';
import type { WebhookShape } from './shape.js';
import { webhookShapes } from './shapes.js';
import type { WebhookConfig } from './webhook-config.js';

const Webhook = z.looseObject({ id: z.string(), isActive: z.boolean() });
const OneWebhook = z.object({ webhook: Webhook });
const READ = { permission: 'webhooks:read' };
const WRITE = { permission: 'webhooks:write' };

export const adminRoutes = [
  get(
    '/webhooks',
    {
      summary: 'List webhooks',
      ...READ,
      query: ListPage,
      reply: z.object({ webhooks: z.array(Webhook), total: z.number() }),
    },
    async ({ query, services }) => {
      const { configs, total } = await services.webhookConfigs.list(query);
      return { body: { webhooks: configs.map(viewOf), total } };
    },
  ),

  post(
    '/webhooks',
    {
      summary: 'Create a webhook',
      ...WRITE,
      status: 201,
      body: z.union(webhookShapes.map(({ create }) => create)),
      reply: OneWebhook,
      errors: ['WEBHOOK_EXISTS'],
    },
    async ({ body, services }) => {
      const config = await createWebhook(services, body);
      if (!config) throw refuse('WEBHOOK_EXISTS');
      return { body: { webhook: viewOf(config) } };
    },
  ),

  get(
    '/webhooks/{id}',
    { summary: 'Read a webhook', ...READ, reply: OneWebhook, errors: ['WEBHOOK_NOT_FOUND'] },
    async ({ params, services }) => {
      return { body: { webhook: viewOf(await webhookOf(services, params)) } };
    },
  ),

  patch(
    '/webhooks/{id}',
    {
      summary: 'Change a webhook',
      ...WRITE,
      body: z.union(webhookShapes.map(({ patch }) => patch)),
      reply: Success.extend(OneWebhook.shape),
      errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_EXISTS'],
    },
    async ({ body, params, services }) => {
      const config = await webhookOf(services, params);
      // The body fits some kind of webhook; it must fit this one.
      const fields = parseFields(shapeOf(config).patch, body);
      const changed = await changeWebhook(services, config, fields);
      if (!changed) throw refuse('WEBHOOK_EXISTS');
      return { body: { success: true, webhook: viewOf(changed) } };
    },
  ),

  del(
    '/webhooks/{id}',
    { summary: 'Delete a webhook', ...WRITE, reply: Success, errors: ['WEBHOOK_NOT_FOUND'] },
    async ({ params, services }) => {
      if (!(await services.webhookConfigs.delete(params.id ?? ''))) {
        throw refuse('WEBHOOK_NOT_FOUND');
      }
      return { body: { success: true } };
    },
  ),
];

async function webhookOf(
  services: Services,
  params: Record<string, string>,
): Promise<WebhookConfig> {
  const config = await services.webhookConfigs.find(params.id ?? '');
  // Of a kind that this service no longer has: it can neither be shown nor changed.
  if (!config || !webhookShapes.some((shape) => shape.describes(config))) {
    throw refuse('WEBHOOK_NOT_FOUND');
  }
  return config;
}

function shapeOf(config: WebhookConfig): WebhookShape {
  const shape = webhookShapes.find((each) => each.describes(config));
  if (!shape) throw refuse('WEBHOOK_NOT_FOUND');
  return shape;
}

function viewOf(config: WebhookConfig): Record<string, unknown> {
  return shapeOf(config).view(config);
}
