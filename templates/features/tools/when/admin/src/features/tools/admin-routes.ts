import { z } from 'zod';
import { refuse } from '../../http/errors.js';
import type { Services } from '../../services.js';
import { currentSetting } from '../../settings/current-setting.js';
import { ListPage } from '../admin/list-page.js';
import { get, post } from '../admin/route.js';
import type { WebhookConfig } from '../webhook-configs/webhook-config.js';
import { actions } from './actions.js';
import { runWebhook } from './run-webhook.js';

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

export const adminRoutes = [
  get(
    '/actions',
    {
      summary: 'What scripts can be allowed to do',
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
      summary: 'What came of the last hundred scripts of a webhook',
      permission: 'webhooks:read',
      query: ListPage,
      reply: z.object({ runs: z.array(RunView), total: z.number(), failed: z.number() }),
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ params, query, services }) => {
      const { id } = await inboundOf(services, params);
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
      summary: 'Run a script on a body without emitting its event; its actions do act',
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
    async ({ body, commit, params, services }) => {
      const config = await inboundOf(services, params);
      await commit(async () => {});
      const outcome = await runWebhook(services, config, body.body);
      const { result, error = null, log, calls, durationMs } = outcome;
      return { body: { result, error, log, calls, durationMs } };
    },
  ),
];

/** The inbound webhook whom the path names. Throws WEBHOOK_NOT_FOUND. */
async function inboundOf(
  services: Services,
  params: Record<string, string>,
): Promise<WebhookConfig> {
  const config = await services.webhookConfigs.find(params.id ?? '');
  if (!config || config.provider === null) throw refuse('WEBHOOK_NOT_FOUND');
  return config;
}
