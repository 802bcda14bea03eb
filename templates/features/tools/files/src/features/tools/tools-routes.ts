import { z } from 'zod';
import { now } from '../../clock.js';
import { refuse } from '../../http/errors.js';
import { post } from '../../http/route.js';
import { withEvents } from '../../services.js';
import { secretOf } from '../webhook-configs/secret.js';
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
      limits: ({ params }) => [['callsOfProvider', params.provider ?? '']],
    },
    async ({ body, params, rawBody, request, services }) => {
      const config = await services.webhookConfigs.findInbound(params.provider ?? '');
      if (!config) throw refuse('WEBHOOK_NOT_FOUND');
      if (config.sealedSecret !== null) {
        const secret = secretOf(services, config);
        // A secret that cannot be opened any more lets nobody in.
        if (
          secret === undefined ||
          !isSigned(request.header('x-webhook-signature'), secret, rawBody)
        ) {
          throw refuse('INVALID_SIGNATURE');
        }
      }
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
