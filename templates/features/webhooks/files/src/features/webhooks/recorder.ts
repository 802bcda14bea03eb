import { z } from 'zod';
import type { ServiceEvent } from '../../events/bus.js';
import type { EventRecorder } from '../../events/recorder.js';
import type { Services } from '../../services.js';
import { payloadOf } from './payload.js';

/** Writes each event with a delivery for every endpoint that wants it, in the transaction that caused it. */
export const webhooksRecorder: EventRecorder = {
  async awaits({ webhookConfigs }, event) {
    if (!(await webhookConfigs.hasOutgoing())) return false;
    return (await webhookConfigs.findByEvent(event)).length > 0;
  },

  async record(inside, events) {
    for (const event of events) {
      const webhookIds = await receiversOf(inside, event);
      if (webhookIds.length > 0) {
        const named = { name: event.event, body: payloadOf(event) };
        await inside.webhooks.queue.enqueue(named, webhookIds);
      }
    }
  },
};

async function receiversOf(
  { webhookConfigs }: Services,
  { event, data, metadata }: ServiceEvent,
): Promise<string[]> {
  // Only the endpoint itself is tested, whatever events it wants.
  if (event === 'identity.webhook.test') {
    const id = webhookIdIn(data);
    return (await webhookConfigs.find(id)) ? [id] : [];
  }
  const configs = await webhookConfigs.findByEvent(event, metadata.tenantId);
  const ids = configs.map(({ id }) => id);
  // Nobody is told of their own end: they would not hear it.
  if (event !== 'identity.webhook.deactivated') return ids;
  const ended = webhookIdIn(data);
  return ids.filter((id) => id !== ended);
}

const About = z.object({ webhookId: z.uuid() }).catch({ webhookId: '' });

/** The webhook that an event is about. A script can emit an event of that name with any data: then it is none. */
function webhookIdIn(data: unknown): string {
  return About.parse(data).webhookId;
}
