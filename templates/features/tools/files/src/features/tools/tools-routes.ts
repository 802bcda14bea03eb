import { z } from 'zod';
import { now } from '../../clock.js';
import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import { post } from '../../http/route.js';
import { type Services, withEvents } from '../../services.js';
import { secretOf } from '../webhook-configs/secret.js';
import type { WebhookConfig } from '../webhook-configs/webhook-config.js';
import { emittedEvent } from './emitted-event.js';
import { runWebhook } from './run-webhook.js';
import { isSigned } from './signature.js';

export const toolsRoutes = [
  post(
    '/webhook/{provider}',
    {
      summary: 'Run the script of a provider on the body, and emit the event that it asks for',
      anyJson: true,
      reply: z.object({ ok: z.literal(true) }),
      errors: ['WEBHOOK_NOT_FOUND', 'INVALID_SIGNATURE'],
    },
    async ({ body, params, rawBody, request, services }) => {
      const config = await services.webhookConfigs.findInbound(params.provider ?? '');
      if (!config) throw refuse('WEBHOOK_NOT_FOUND');
      requireSignature(services, config, request, rawBody);
      // Not before: a stranger must not use up what the provider may call.
      await services.limiter.consume([['callsOfProvider', config.id]]);
      const startedAt = now();
      const outcome = await runWebhook(services, config, body);
      const emitted =
        outcome.error === undefined ? emittedEvent(config, outcome.result) : undefined;
      const { id: webhookId } = config;
      if (outcome.error !== undefined) {
        services.log.error({ webhookId, error: outcome.error }, 'a script failed');
      }
      if (emitted) {
        const { event, data = null, userId, tenantId } = emitted;
        const cause = {
          request,
          ...(userId === undefined ? {} : { userId }),
          ...(tenantId === undefined ? {} : { tenantId }),
        };
        await withEvents(services, async ({ events }) => events.publishNamed(event, data, cause));
      }
      services.background.run('note of a script', () =>
        services.tools.add(webhookId, {
          startedAt,
          durationMs: outcome.durationMs,
          error: outcome.error ?? null,
          event: emitted?.event ?? null,
          log: outcome.log,
          calls: outcome.calls,
        }),
      );
      return { body: { ok: true } };
    },
  ),
];

/** Throws INVALID_SIGNATURE unless the body is signed with the webhook's secret, if it has one. */
function requireSignature(
  services: Services,
  config: WebhookConfig,
  request: RequestFacts,
  rawBody: Buffer,
): void {
  if (config.sealedSecret === null) return;
  const secret = secretOf(services, config);
  const header = request.header('x-webhook-signature');
  // A secret that cannot be opened any more lets nobody in.
  if (secret === undefined || !isSigned(header, secret, rawBody)) throw refuse('INVALID_SIGNATURE');
}
