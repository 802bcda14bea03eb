import { now } from '../../process/clock.js';
import { orderedId, randomBelow } from '../../process/random.js';
import type { Services } from '../../services.js';
import { secretOf } from '../webhook-configs/save-webhook.js';
import type { WebhookConfig } from '../webhook-configs/store.js';
import type { AttemptResult, ClaimedDelivery } from './queue.js';
import type { Sender } from './sender.js';
import { signedHeaders } from './signing.js';

/** RFC 9110 §15.5.11: the receiver says that it will not come back. */
const GONE = 410;
const DAY_MS = 24 * 60 * 60_000;
/** Share of the delay that is random, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

type RetryRules = Pick<WebhookConfig, 'maxRetries' | 'retryDelayMs'>;

export interface Endpoint extends RetryRules {
  id: string;
  url: string;
  /** The current secret first, then a previous one that still signs. */
  secrets: string[];
}

/** An endpoint's current configuration; undefined if it is deleted or inactive. */
export async function readEndpoint(services: Services, id: string): Promise<Endpoint | undefined> {
  const config = await services.webhookConfigs.find(id);
  if (!config?.isActive || config.url === null) return undefined;
  const { url, maxRetries, retryDelayMs } = config;
  const former = (await services.webhooks.findFormerSecret(id)) ?? null;
  const sealedSecrets = [config.sealedSecret, former];
  const secrets = sealedSecrets.flatMap((sealedSecret) => {
    return secretOf(services, { id, sealedSecret }) ?? [];
  });
  return { id, url, maxRetries, retryDelayMs, secrets };
}

/** Sends a delivery once and says what comes next. Never throws. */
export async function deliver(
  sender: Sender,
  endpoint: Endpoint,
  delivery: ClaimedDelivery,
): Promise<AttemptResult> {
  const id = orderedId();
  const startedAt = now();
  const headers = signedHeaders(delivery, id, startedAt, endpoint.secrets);
  const result = await sender.send(endpoint.url, headers, delivery.event.body);
  const { status, response, error, durationMs, retryAfterMs } = result;
  const attempt = {
    id,
    delivery_id: delivery.id,
    started_at: startedAt,
    duration_ms: durationMs,
    status,
    response,
    error,
  };
  if (error === null) return { delivery, attempt, next: { state: 'delivered' } };
  if (status === GONE) return { delivery, attempt, next: { state: 'failed' } };
  const delay = retryDelay(endpoint, delivery.attempts + 1, retryAfterMs);
  if (delay === undefined) return { delivery, attempt, next: { state: 'exhausted' } };
  return { delivery, attempt, next: { state: 'retrying', at: now() + delay } };
}

/**
 * How long to wait after a failed attempt, in ms: `retryDelayMs` × 2^(n-1), a day at most, plus up to a
 * tenth; never less than the receiver asked for, a day at most. Undefined once the retries are used up.
 * @param attempts failed ones, this one included
 */
export function retryDelay(
  { maxRetries, retryDelayMs }: RetryRules,
  attempts: number,
  retryAfterMs = 0,
): number | undefined {
  if (attempts > maxRetries) return undefined;
  const delay = Math.min(DAY_MS, retryDelayMs * 2 ** Math.min(attempts - 1, 40));
  const jittered = delay + randomBelow(Math.floor(delay * JITTER) + 1);
  return Math.max(jittered, Math.min(retryAfterMs, DAY_MS));
}
