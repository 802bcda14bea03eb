import { z } from 'zod';
import { includesEvent, type WebhookConfig } from '../webhook-configs/webhook-config.js';

const Emitted = z.object({
  event: z.string().regex(/^[\w.:-]{1,128}$/),
  data: z.json().optional(),
  userId: z.string().optional().catch(undefined),
  tenantId: z.string().optional().catch(undefined),
});

/** The event that a script's result asks for; undefined if it is none, or none that the webhook may emit. */
export function emittedEvent(
  { events }: WebhookConfig,
  result: unknown,
): z.infer<typeof Emitted> | undefined {
  const parsed = Emitted.safeParse(result);
  return parsed.success && includesEvent(events, parsed.data.event) ? parsed.data : undefined;
}
