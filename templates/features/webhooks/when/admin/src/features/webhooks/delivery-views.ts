import { z } from 'zod';
import type { LoggedAttempt, LoggedDelivery } from './delivery-log.js';

export const DeliveryView = z.object({
  id: z.string(),
  webhookId: z.string(),
  event: z.string(),
  state: z.enum(['waiting', 'retrying', 'delivered', 'exhausted']),
  attemptCount: z.number(),
  nextAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});

export const AttemptView = z.object({
  id: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  status: z.number().nullable(),
  response: z.string().nullable(),
  error: z.string().nullable(),
});

/** A delivery in a list; `nextAt` is null once there will be no further try. */
export function deliveryView(delivery: LoggedDelivery): z.infer<typeof DeliveryView> {
  const { attempts, ...shown } = delivery;
  return {
    ...shown,
    attemptCount: attempts,
    nextAt: hasEnded(delivery) ? null : isoTime(delivery.nextAt),
    createdAt: isoTime(delivery.createdAt),
  };
}

/** One try of a delivery. */
export function attemptView(attempt: LoggedAttempt): z.infer<typeof AttemptView> {
  return { ...attempt, startedAt: isoTime(attempt.startedAt) };
}

function hasEnded({ state }: LoggedDelivery): boolean {
  return state === 'delivered' || state === 'exhausted';
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
