import { now } from '../../clock.js';
import { orderedId } from '../../random.js';
import type { Endpoint } from './endpoint.js';
import { delayAfter } from './next-try.js';
import type { ClaimedDelivery, Settlement } from './queue.js';
import type { Sender, SendResult } from './sender.js';
import { signedHeaders } from './signature.js';

/** Sends a delivery once and says what comes next. Never throws. */
export async function deliver(
  sender: Sender,
  endpoint: Endpoint,
  delivery: ClaimedDelivery,
): Promise<Settlement> {
  const attemptId = orderedId();
  const startedAt = now();
  const { name, body } = delivery.event;
  const headers = signedHeaders({
    messageId: `msg_${delivery.eventId}`,
    attemptId,
    event: name,
    body,
    at: startedAt,
    secrets: endpoint.secrets,
  });
  const result = await sender.send(endpoint.url, headers, body);
  const { status, response, error, durationMs } = result;
  const attempt = { id: attemptId, startedAt, durationMs, status, response, error };
  return { delivery, attempt, next: nextOf(endpoint, delivery, result) };
}

function nextOf(
  endpoint: Endpoint,
  { attempts }: ClaimedDelivery,
  { error, retryAfterMs }: SendResult,
): Settlement['next'] {
  if (error === null) return { state: 'delivered' };
  const delay = delayAfter(endpoint, attempts + 1, retryAfterMs);
  return delay === undefined ? { state: 'exhausted' } : { state: 'retrying', at: now() + delay };
}
