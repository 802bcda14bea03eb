import { z } from 'zod';
import { includesEvent, type WebhookConfig } from '../webhook-configs/webhook-config.js';

/** A script may make it of whatever it was sent: what no database would take is left out. */
const id = z
  .string()
  .regex(/^[^\p{Cc}]{1,128}$/u)
  .optional()
  .catch(undefined);

const Emitted = z.object({
  event: z.string().regex(/^[\w.:-]{1,128}$/),
  data: z.json().optional(),
  userId: id,
  tenantId: id,
});

/** The event that a script's result asks for; undefined if it is none, or none that the webhook may emit. */
export function emittedEvent(
  { events }: WebhookConfig,
  result: unknown,
): z.infer<typeof Emitted> | undefined {
  const parsed = Emitted.safeParse(result);
  return parsed.success && includesEvent(events, parsed.data.event) ? parsed.data : undefined;
}
