import { z } from 'zod';
import { defineFeature } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import type { Route } from '../../../http/route.js';
import type { Services } from '../../../services.js';
import { adminPrefix } from '../../admin/feature.js';
import { get, ListPage, post } from '../../admin/route.js';
import { currentSetting } from '../../settings/settings.js';
import type { WebhookConfig } from '../../webhook-configs/store.js';
import { requirePermissions } from '../action.js';
import { actions } from '../actions.js';
import { runWebhook } from '../run-webhook.js';

const ActionView = z.object({
  id: z.string(),
  label: z.string(),
  category: z.string(),
  description: z.string(),
  dependsOn: z.array(z.string()),
  enabled: z.boolean(),
});
const Calls = z.array(z.object({ id: z.string(), ok: z.boolean() }));
const RunView = z.object({
  id: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  error: z.string().nullable(),
  event: z.string().nullable(),
  log: z.array(z.string()),
  calls: Calls,
});

/** The inbound webhook named by the path. Throws WEBHOOK_NOT_FOUND. */
async function inboundOf(services: Services, id = ''): Promise<WebhookConfig> {
  const config = await services.webhookConfigs.find(id);
  if (!config || config.provider === null) throw refuse('WEBHOOK_NOT_FOUND');
  return config;
}

export const toolsAdmin = defineFeature({
  prefix: adminPrefix,
  routes: (): Route[] => [
    get(
      '/actions',
      {
        summary: 'List the actions that scripts can be allowed',
        permission: 'settings:read',
        reply: z.object({ actions: z.array(ActionView) }),
      },
      async ({ services }) => {
        const enabled = await currentSetting(services, 'enabledWebhookActions');
        const views = actions.map(({ id, label, category, description, dependsOn }) => {
          return { id, label, category, description, dependsOn, enabled: enabled.includes(id) };
        });
        return { body: { actions: views } };
      },
    ),

    get(
      '/webhooks/{id}/runs',
      {
        summary: 'List the last hundred runs of an inbound webhook',
        permission: 'webhooks:read',
        query: ListPage,
        reply: z.object({ runs: z.array(RunView), total: z.number(), failed: z.number() }),
        errors: ['WEBHOOK_NOT_FOUND'],
      },
      async ({ params, query, services }) => {
        const { id } = await inboundOf(services, params.id);
        const { runs, total, failed } = await services.tools.list(id, query);
        const views = runs.map((run) => ({
          ...run,
          startedAt: new Date(run.startedAt).toISOString(),
        }));
        return { body: { runs: views, total, failed } };
      },
    ),

    post(
      '/webhooks/{id}/dry-run',
      {
        summary: 'Run a script on a body without emitting its event; actions still run',
        permission: 'webhooks:write',
        body: z.object({ body: z.json() }),
        reply: z.object({
          result: z.json(),
          error: z.string().nullable(),
          log: z.array(z.string()),
          calls: Calls,
          durationMs: z.number(),
        }),
        errors: ['WEBHOOK_NOT_FOUND'],
        waits: true,
      },
      async ({ body, caller, commit, params, services }) => {
        const config = await inboundOf(services, params.id);
        // The body is the caller's: with it a script does whatever its actions can.
        const used = actions.filter(({ id }) => config.allowedActions.includes(id));
        requirePermissions(caller, used);
        await commit(async () => {});
        const outcome = await runWebhook(services, config, body.body);
        const { result, error = null, log, calls, durationMs } = outcome;
        return { body: { result, error, log, calls, durationMs } };
      },
    ),
  ],
});
