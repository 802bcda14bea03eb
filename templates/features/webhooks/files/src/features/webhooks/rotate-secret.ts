import { now } from '../../clock.js';
import { inTransaction, type Services } from '../../services.js';
import { changeWebhook } from '../webhook-configs/save-webhook.js';
import type { WebhookConfig } from '../webhook-configs/webhook-config.js';
import { newSecret } from './signature.js';

/** Receivers have a day to learn the new secret. */
const OVERLAP_MS = 24 * 60 * 60_000;

/** Gives a webhook a new secret and returns it, the only time that it is seen. The former one signs as well for a day. */
export async function rotateSecret(services: Services, config: WebhookConfig): Promise<string> {
  const secret = newSecret();
  await inTransaction(services, async (inside) => {
    if (config.sealedSecret !== null) {
      const { formerSecrets } = inside.webhooks;
      await formerSecrets.keep(config.id, config.sealedSecret, now() + OVERLAP_MS);
    }
    await changeWebhook(inside, config, { secret });
  });
  return secret;
}
