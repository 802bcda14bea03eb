import * as z from 'zod';
import { defineFeature } from '../../../feature.js';
import { parseFields } from '../../../http/body.js';
import { refuse } from '../../../http/errors.js';
import { type Route, Success, Time } from '../../../http/route.js';
import type { Services } from '../../../services.js';
import type { Account } from '../../../users/account.js';
import { adminPrefix } from '../../admin/feature.js';
import { list } from '../../admin/list.js';
import { del, get, patch, post } from '../../admin/route.js';
import {
  changeWebhook,
  commonFields,
  createWebhook,
  emptyWebhook,
  HIDDEN_SECRET,
  type WebhookFields,
  type WebhookShape,
  webhookShapesOf,
} from '../feature.js';
import type { WebhookConfig } from '../store.js';

/** The reply with one webhook: for each kind, what `viewOf` returns. */
function replyOf(services: Services) {
  const kept = { id: z.string(), secret: z.string().nullable(), createdAt: Time, updatedAt: Time };
  const shapes = webhookShapesOf(services).map(({ fields }) => z.object(fields.shape).required());
  return z.object({ webhook: z.union(shapes.map((shape) => shape.extend(kept))) });
}

const READ = { permission: 'webhooks:read' };
const WRITE = { permission: 'webhooks:write' };

/** The webhook in the path, if it has the field `key`. Throws WEBHOOK_NOT_FOUND. */
export async function webhookOf(
  { webhookConfigs }: Services,
  id = '',
  key: keyof WebhookConfig = 'id',
): Promise<WebhookConfig> {
  const config = await webhookConfigs.find(id);
  if (!config || config[key] === null) throw refuse('WEBHOOK_NOT_FOUND');
  return config;
}

/** Undefined for a webhook of a feature that was removed from the service. */
function shapeOf(services: Services, webhook: WebhookFields): WebhookShape | undefined {
  return webhookShapesOf(services).find(({ key }) => typeof webhook[key] === 'string');
}

/** The fields of its kind; of the secret, only whether there is one. */
function viewOf(services: Services, config: WebhookConfig) {
  const { id, sealedSecret, createdAt, updatedAt, ...stored } = config;
  const shown = Object.keys(shapeOf(services, config)?.fields.shape ?? commonFields);
  return {
    id,
    ...Object.fromEntries(Object.entries(stored).filter(([name]) => shown.includes(name))),
    isActive: config.isActive,
    secret: sealedSecret === null ? null : HIDDEN_SECRET,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

/** Throws FORBIDDEN, SECRET_REQUIRED. */
function requireSavable(
  shape: WebhookShape | undefined,
  caller: Account,
  config: WebhookConfig,
  changes: WebhookFields,
): void {
  // Turning it off is always allowed: its actions may have come to need more since it was saved.
  if (Object.entries(changes).every(([name, value]) => name === 'isActive' && !value)) return;
  shape?.requireAllowed?.(caller, config);
  if (config.sealedSecret === null && shape?.needsSecret?.(config)) throw refuse('SECRET_REQUIRED');
}

export const webhookConfigsAdmin = defineFeature({
  prefix: adminPrefix,
  errors: {
    WEBHOOK_NOT_FOUND: [404, 'There is no such webhook.'],
    WEBHOOK_EXISTS: [409, 'There is already a webhook for this provider.'],
    SECRET_REQUIRED: [400, 'A webhook whose actions change something needs a secret.'],
  },
  routes: (services: Services): Route[] => [
    list('/webhooks', {
      summary: 'List webhooks',
      ...READ,
      of: 'webhooks',
      item: replyOf(services).shape.webhook,
      read: async ({ query, services }) => {
        const { items, rest } = await services.webhookConfigs.list(query);
        return { items: items.map((each) => viewOf(services, each)), rest };
      },
    }),

    post('/webhooks', {
      summary: 'Create a webhook; an outgoing one without a secret is given one, shown only here',
      ...WRITE,
      status: 201,
      body: z.union(webhookShapesOf(services).map((shape) => shape.fields)),
      reply: replyOf(services),
      errors: ['WEBHOOK_EXISTS', 'SECRET_REQUIRED'],
      waits: true,
      handle: async ({ body, caller, commit, services }) => {
        const shape = shapeOf(services, body);
        await shape?.check?.(services, body);
        // A webhook copied from a response of the API has only the placeholder.
        const isGiven = body.secret !== undefined && body.secret !== HIDDEN_SECRET;
        const secret = isGiven ? undefined : shape?.generateSecret?.();
        if (body.secret === HIDDEN_SECRET && !secret) {
          const details = [{ path: 'secret', message: 'Give the secret itself.' }];
          throw refuse('VALIDATION_FAILED', { details });
        }
        const save = async (tx: Services) => {
          const created = await createWebhook(tx, { ...body, ...(secret && { secret }) });
          if (!created) throw refuse('WEBHOOK_EXISTS');
          requireSavable(shape, caller, created, body);
          return created;
        };
        const config = await commit(save, ({ id }) => id);
        return { body: { webhook: { ...viewOf(services, config), ...(secret && { secret }) } } };
      },
    }),

    get('/webhooks/{id}', {
      summary: 'Read a webhook',
      ...READ,
      reply: replyOf(services),
      errors: ['WEBHOOK_NOT_FOUND'],
      handle: async ({ params, services }) => {
        const config = await webhookOf(services, params.id);
        return { body: { webhook: viewOf(services, config) } };
      },
    }),

    patch('/webhooks/{id}', {
      summary: 'Change a webhook',
      ...WRITE,
      // Any object: the handler reports what is wrong with a field in a webhook of this kind.
      body: z.union([
        ...webhookShapesOf(services).map((shape) => shape.fields.partial()),
        z.looseObject({}),
      ]),
      reply: Success.extend(replyOf(services).shape),
      errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_EXISTS', 'SECRET_REQUIRED'],
      waits: true,
      handle: async ({ body, caller, commit, params, services }) => {
        const config = await webhookOf(services, params.id);
        const shape = shapeOf(services, config);
        if (!shape) throw refuse('WEBHOOK_NOT_FOUND');
        const fields = parseFields(shape.fields.partial(), body);
        await shape.check?.(services, fields);
        const changed = await commit(async (tx) => {
          if (!(await changeWebhook(tx, config, fields))) throw refuse('WEBHOOK_EXISTS');
          // Read after the change, since another change may have come first: both together must be allowed too.
          const saved = await webhookOf(tx, params.id);
          requireSavable(shape, caller, saved, fields);
          return saved;
        });
        return { body: { success: true, webhook: viewOf(services, changed) } };
      },
    }),

    del('/webhooks/{id}', {
      summary: 'Delete a webhook',
      ...WRITE,
      errors: ['WEBHOOK_NOT_FOUND'],
      waits: true,
      handle: async ({ commit, params, services }) => {
        const { id } = await webhookOf(services, params.id);
        // First: what follows takes long, and cannot be undone.
        await commit(({ webhookConfigs }) => webhookConfigs.deactivate(id));
        await emptyWebhook(services, id);
        if (!(await services.webhookConfigs.delete(id))) throw refuse('WEBHOOK_NOT_FOUND');
      },
    }),
  ],
});
