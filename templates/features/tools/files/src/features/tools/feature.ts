import { z } from 'zod';
import type { Config } from '../../config.js';
import type { Db } from '../../db/schema.js';
import { defineFeature, type Worker } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { post, type Route } from '../../http/route.js';
import { pathPrefix } from '../../process/addresses.js';
import { now } from '../../process/clock.js';
import type { Services } from '../../services.js';
import { setting } from '../settings/settings.js';
import { commonFields, commonView, type WebhookShape } from '../webhook-configs/feature.js';
import { scriptMail } from './actions/shipped.js';
import { SCRIPT_LENGTH, scriptProblem } from './check-script.js';
import { emitResult, runWebhook } from './run-webhook.js';
import { createSandboxPool, type SandboxPool } from './sandbox/pool.js';
import { requireSignature } from './signature.js';
import { toolsStore } from './store.js';

const fields = {
  ...commonFields,
  /** The events that the script may emit; absent: every one. */
  events: commonFields.events.optional(),
  provider: z.string().regex(/^[\w.-]{1,64}$/, 'Use letters, digits, _ . and -, at most 64.'),
  jsScript: z
    .string()
    .max(SCRIPT_LENGTH)
    .superRefine((script, context) => {
      const problem = scriptProblem(script);
      if (problem) context.addIssue({ code: 'custom', message: problem });
    }),
  allowedActions: z.array(z.string().min(1).max(128)).max(500).optional(),
};

/** An inbound webhook: a provider whose calls run a script. */
const webhookShape: WebhookShape = {
  describes: ({ provider }) => provider !== null,
  create: z.strictObject(fields),
  patch: z.strictObject(fields).partial(),
  view(config) {
    const { provider, jsScript, allowedActions } = config;
    return { ...commonView(config), provider, jsScript, allowedActions };
  },
};

export const tools = defineFeature({
  mails: { scriptMail },
  variables: {
    TOOLS_PREFIX: pathPrefix().prefault('/tools'),
  },
  errors: {
    WEBHOOK_NOT_FOUND: [404, 'There is no such webhook.'],
    INVALID_SIGNATURE: [401, 'The signature does not match the body.'],
  },
  limits: {
    /** Scripts cost CPU time, which otherwise only their time limit bounds. */
    callsOfProvider: { points: 600, seconds: 60, scope: 'process' },
  },
  settings: {
    /** Ids of the actions that scripts may use. None until an administrator enables them. */
    enabledWebhookActions: setting(z.array(z.string().min(1).max(128)).max(500), () => []),
  },
  webhookShape,
  // The first process is started by the first script.
  worker: ({ log }: Services): Worker & SandboxPool => createSandboxPool(log),
  prefix: (config: Config): string => config.TOOLS_PREFIX,
  stores: (db: Db) => ({ tools: toolsStore(db) }),
  routes: (): Route[] => [
    post(
      '/webhook/{provider}',
      {
        summary: 'Run the script of a provider on the body, and emit the event that it asks for',
        anyJson: true,
        anyOrigin: true,
        reply: z.object({ ok: z.literal(true) }),
        errors: ['WEBHOOK_NOT_FOUND', 'INVALID_SIGNATURE'],
      },
      async ({ body, params, rawBody, request, services }) => {
        const config = await services.webhookConfigs.findInbound(params.provider ?? '');
        if (!config) throw refuse('WEBHOOK_NOT_FOUND');
        requireSignature(services, config, request, rawBody);
        // Counted after the signature: a stranger must not use up the provider's calls.
        await services.limiter.consume([['callsOfProvider', config.id]]);
        const startedAt = now();
        const outcome = await runWebhook(services, config, body);
        const { durationMs, error = null, log, calls } = outcome;
        if (error !== null) services.log.error({ webhookId: config.id, error }, 'a script failed');
        const event =
          error === null ? await emitResult(services, config, outcome.result, request) : null;
        const run = { startedAt, durationMs, error, event, log, calls };
        services.background.run('record of a script', () => services.tools.add(config.id, run));
        return { body: { ok: true } };
      },
    ),
  ],
});
