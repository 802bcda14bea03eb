import type { EventCause } from '../../events/bus.js';
import { inTransaction, type Services } from '../../services.js';

/** Sends one endpoint, and no other, an event by which its owner sees that it works. */
export async function sendTest(
  services: Services,
  webhookId: string,
  cause: EventCause,
): Promise<void> {
  await inTransaction(services, async ({ events }) =>
    events.publish('identity.webhook.test', { webhookId }, cause),
  );
}
