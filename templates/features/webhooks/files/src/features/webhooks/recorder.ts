import * as z from 'zod';
import type { EventRecorder, ServiceEvent } from '../../events/bus.js';
import type { Services } from '../../services.js';

/** Version of the payload format. */
const VERSION = '1';

/** Writes each event with a delivery for every endpoint that subscribes to it, in the transaction that caused it. */
export const recorder: EventRecorder = {
  async awaits({ webhookConfigs }, event) {
    return (await webhookConfigs.findByEvent(event)).length > 0;
  },

  async record(tx, events) {
    for (const event of events) {
      const webhookIds = await receiversOf(tx, event);
      if (webhookIds.length === 0) continue;
      const { event: name, metadata } = event;
      const stored = { name, user_id: metadata.userId ?? null, body: payloadOf(event) };
      await tx.webhooks.queue.enqueue(stored, webhookIds);
    }
  },
};

async function receiversOf(
  { webhookConfigs }: Services,
  { event, data, metadata }: ServiceEvent,
): Promise<string[]> {
  // For this one endpoint only.
  if (event === 'identity.webhook.test') {
    const id = webhookIdIn(data);
    return (await webhookConfigs.find(id)) ? [id] : [];
  }
  const configs = await webhookConfigs.findByEvent(event, metadata.tenantId);
  const ids = configs.map(({ id }) => id);
  // A deactivated endpoint does not receive its own deactivation.
  if (event !== 'identity.webhook.deactivated') return ids;
  const deactivated = webhookIdIn(data);
  return ids.filter((id) => id !== deactivated);
}

const About = z.object({ webhookId: z.uuid() }).catch({ webhookId: '' });

/** The webhook that an event is about; empty if the data, which a script may have chosen, names none. */
function webhookIdIn(data: unknown): string {
  return About.parse(data).webhookId;
}

/** The body that receivers get. The event's `origin` (actor, IP, user agent) is left out. */
function payloadOf({ event, timestamp, data, metadata }: ServiceEvent): string {
  const { userId, tenantId, correlationId } = metadata;
  return JSON.stringify({
    event,
    version: VERSION,
    timestamp,
    data,
    metadata: { userId, tenantId, correlationId },
  });
}
