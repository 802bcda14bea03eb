import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import type { Config } from '../../config.js';
import { isMigrated } from '../../db/migrate.js';
import type { Db } from '../../db/schema.js';
import { defineFeature, type Worker } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { post, type Route } from '../../http/route.js';
import { pathPrefix } from '../../process/addresses.js';
import type { Services } from '../../services.js';
import { open } from '../data-key/sealed-columns.js';
import { setting } from '../settings/feature.js';
import { commonFields, secretColumn, type WebhookShape } from '../webhook-configs/feature.js';
import { SIGNATURE_KINDS } from '../webhook-configs/store.js';
import { scriptMail } from './actions/shipped.js';
import { actions } from './actions.js';
import { answerCall, requirePermissions } from './run-webhook.js';
import { createSandboxPool, type SandboxPool } from './sandbox/pool.js';
import { isSigned } from './signature.js';
import { toolsStore } from './store.js';

/** A call is answered after this time at the latest, even if its script still waits or runs. */
const LATEST_ANSWER_MS = 5_500;

const fields = z.strictObject({
  ...commonFields,
  /** The events that the script may emit; absent: all. */
  events: commonFields.events.optional(),
  provider: z.string().regex(/^[\w.-]{1,64}$/, 'Use letters, digits, _ . and -, at most 64.'),
  jsScript: z.string().max(64_000),
  allowedActions: z.array(z.string().min(1).max(128)).max(500).optional(),
  signature: z.enum(SIGNATURE_KINDS).optional(),
});

/** An inbound webhook: a provider whose calls run a script. */
const webhookShape: WebhookShape = {
  key: 'provider',
  fields,
  async check({ workers }, { jsScript }) {
    const message = jsScript && (await workers.tools.check(jsScript));
    if (message) throw refuse('VALIDATION_FAILED', { details: [{ path: 'jsScript', message }] });
  },
  // Whoever writes the script, decides what it may emit, knows the secret or turns it on can do what its actions can.
  requireAllowed: (caller, { allowedActions }) => requirePermissions(caller, allowedActions),
  needsSecret: ({ allowedActions }) =>
    actions.some(({ id, changes }) => changes && allowedActions.includes(id)),
};

export const tools = defineFeature({
  mails: { scriptMail },
  variables: { TOOLS_PREFIX: pathPrefix().prefault('/tools') },
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
    enabledWebhookActions: setting(
      z.array(z.enum(actions.map(({ id }) => id))).max(500),
      () => [],
      // Existing scripts that are allowed the action could use it at once.
      (caller, enabled, before) => {
        const added = enabled.filter((id) => !before.includes(id));
        // So could those that are enabled already, and only lacked what they depend on.
        const woken = actions.filter(({ dependsOn }) => dependsOn.some((id) => added.includes(id)));
        const usable = woken.map(({ id }) => id).filter((id) => enabled.includes(id));
        requirePermissions(caller, [...added, ...usable]);
      },
    ),
  },
  webhookShape,
  worker(services: Services): Worker & SandboxPool {
    const pool = createSandboxPool(services.log);
    return {
      ...pool,
      start() {
        services.background.run('start of a sandbox', async () => {
          const isReady = await isMigrated(services.db);
          if (isReady && (await services.webhookConfigs.hasInbound())) await pool.warmUp();
        });
      },
    };
  },
  prefix: (config: Config): string => config.TOOLS_PREFIX,
  stores: (db: Db) => ({ tools: toolsStore(db) }),
  routes: (): Route[] => [
    post('/webhook/{provider}', {
      summary: 'Run the script of a provider on any JSON, signed if the webhook has a secret',
      anyJson: true,
      anyOrigin: true,
      reply: z.object({ ok: z.literal(true) }),
      errors: ['WEBHOOK_NOT_FOUND', 'INVALID_SIGNATURE'],
      handle: async ({ body, params, rawBody, request, services }) => {
        const config = await services.webhookConfigs.findInbound(params.provider ?? '');
        if (!config) throw refuse('WEBHOOK_NOT_FOUND');
        if (config.sealedSecret !== null) {
          const secret = await open(services, secretColumn, config.id, config.sealedSecret);
          // Without the key that opens the secret, every call is refused.
          const isGenuine = secret && isSigned(config.signature, secret, request.header, rawBody);
          if (!isGenuine) throw refuse('INVALID_SIGNATURE');
        }
        // Counted after the signature: a stranger must not use up the provider's calls.
        await services.limiter.consume([['callsOfProvider', config.id]]);
        const answered = answerCall(services, config, body, request);
        services.background.run('script of a webhook', () => answered);
        await Promise.race([answered, setTimeout(LATEST_ANSWER_MS, undefined, { ref: false })]);
        return { body: { ok: true } };
      },
    }),
  ],
});
