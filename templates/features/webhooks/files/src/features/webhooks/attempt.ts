import { now } from '../../process/clock.js';
import { orderedId, randomBelow } from '../../process/random.js';
import type { Services } from '../../services.js';
import { secretOf } from '../webhook-configs/save-webhook.js';
import type { ClaimedDelivery } from './claim.js';
import type { AttemptResult } from './queue.js';
import type { Sender } from './sender.js';
import { signedHeaders } from './signing.js';

/** RFC 9110 §15.5.11: the receiver says that it will not come back. */
const GONE = 410;
const DAY_MS = 24 * 60 * 60_000;
/** Share of the delay that is random, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/** Sends a delivery once and says what comes next. Never throws. */
export async function attempt(
  services: Services,
  sender: Sender,
  delivery: ClaimedDelivery,
): Promise<AttemptResult> {
  const id = orderedId();
  const startedAt = now();
  const headers = signedHeaders(delivery, id, startedAt, secretsOf(services, delivery));
  const result = await sender.send(delivery.url, headers, delivery.body);
  const { status, response, error, durationMs, retryAfterMs } = result;
  return {
    delivery,
    attempt: {
      id,
      delivery_id: delivery.id,
      started_at: startedAt,
      duration_ms: durationMs,
      status,
      response,
      error,
    },
    next: nextState(delivery, status, error, retryAfterMs),
  };
}

/** The current secret first, then a former one that still signs; none once the current one was removed. */
function secretsOf(services: Services, delivery: ClaimedDelivery): string[] {
  const { webhookId: id, sealedSecret, formerSecret, formerUntil } = delivery;
  if (sealedSecret === null) return [];
  const sealed = formerUntil > now() ? [sealedSecret, formerSecret] : [sealedSecret];
  return sealed.flatMap((each) => secretOf(services, { id, sealedSecret: each }) ?? []);
}

function nextState(
  delivery: ClaimedDelivery,
  status: number | null,
  error: string | null,
  retryAfterMs: number | undefined,
): AttemptResult['next'] {
  if (error === null) return { state: 'delivered' };
  if (status === GONE) return { state: 'failed' };
  const delay = retryDelay(delivery, delivery.attempts + 1, retryAfterMs);
  return delay === undefined ? { state: 'exhausted' } : { state: 'retrying', at: now() + delay };
}

/**
 * How long to wait after a failed attempt, in ms: `retryDelayMs` × 2^(n-1), a day at most, plus up to a
 * tenth; never less than the receiver asked for, a day at most. Undefined once the retries are used up.
 * @param attempts failed ones, this one included
 */
export function retryDelay(
  { maxRetries, retryDelayMs }: { maxRetries: number; retryDelayMs: number },
  attempts: number,
  retryAfterMs = 0,
): number | undefined {
  if (attempts > maxRetries) return undefined;
  const delay = Math.min(DAY_MS, retryDelayMs * 2 ** Math.min(attempts - 1, 40));
  const jittered = delay + randomBelow(Math.floor(delay * JITTER) + 1);
  return Math.max(jittered, Math.min(retryAfterMs, DAY_MS));
}
