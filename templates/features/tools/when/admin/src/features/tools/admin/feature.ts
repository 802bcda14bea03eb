import * as z from 'zod';
import { defineFeature } from '../../../feature.js';
import { type Route, Time } from '../../../http/route.js';
import { adminPrefix } from '../../admin/feature.js';
import { list, pageOf } from '../../admin/list.js';
import { get, post } from '../../admin/route.js';
import { currentSetting } from '../../settings/feature.js';
import { webhookOf } from '../../webhook-configs/admin/feature.js';
import { actions } from '../actions.js';
import { requirePermissions, runWebhook } from '../run-webhook.js';

const ActionView = z.object({
  id: z.string(),
  label: z.string(),
  category: z.string(),
  description: z.string(),
  dependsOn: z.array(z.string()),
  /** Users who lack it can let no script use the action. */
  permission: z.string().nullable(),
  /** True if it does more than read. */
  changes: z.boolean(),
  enabled: z.boolean(),
});

export type ActionView = z.output<typeof ActionView>;
const RunView = z.object({
  id: z.string(),
  startedAt: Time,
  durationMs: z.number(),
  error: z.string().nullable(),
  event: z.string().nullable(),
  log: z.array(z.string()),
  calls: z.array(z.object({ id: z.string(), ok: z.boolean() })),
});

export type RunView = z.output<typeof RunView>;

const DryRun = RunView.pick({ error: true, log: true, calls: true, durationMs: true }).extend({
  result: z.json(),
});

export type DryRun = z.output<typeof DryRun>;

export const toolsAdmin = defineFeature({
  prefix: adminPrefix,
  routes: (): Route[] => [
    get('/actions', {
      summary: 'List the actions that scripts can be allowed to use',
      permission: 'settings:read',
      reply: z.object({ actions: z.array(ActionView) }),
      handle: async ({ services }) => {
        const enabled = await currentSetting(services, 'enabledWebhookActions');
        const views = actions.map(({ run, permission = null, changes = false, ...about }) => {
          const [label, description] = [about.label.en, about.description.en];
          const isEnabled = enabled.includes(about.id);
          return { ...about, label, description, permission, changes, enabled: isEnabled };
        });
        return { body: { actions: views } };
      },
    }),

    list('/webhooks/{id}/runs', {
      summary:
        'List the last hundred runs of an inbound webhook; filter is part of an error or event',
      permission: 'webhooks:read',
      of: 'runs',
      item: RunView,
      errors: ['WEBHOOK_NOT_FOUND'],
      read: async ({ params, query, services }) => {
        const { id } = await webhookOf(services, params.id, 'provider');
        const runs = await services.tools.list(id);
        const views = runs.map((run) => RunView.parse(run));
        return pageOf(views, query, ({ error, event }) => [error, event]);
      },
    }),

    post('/webhooks/{id}/dry-run', {
      summary: 'Run a script on a body without emitting its event; actions still run',
      permission: 'webhooks:write',
      body: z.object({ body: z.json() }),
      reply: DryRun,
      errors: ['WEBHOOK_NOT_FOUND'],
      waits: true,
      handle: async ({ body, caller, commit, params, request, services }) => {
        const config = await webhookOf(services, params.id, 'provider');
        // The body is the caller's: through it a script does whatever its actions can.
        requirePermissions(caller, config.allowedActions);
        await commit(async () => {});
        return { body: await runWebhook(services, config, body.body, request) };
      },
    }),
  ],
});
