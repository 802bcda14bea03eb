import { monotonicTime, now } from '../../process/clock.js';
import { orderedId, randomInt } from '../../process/random.js';
import type { Services } from '../../services.js';
import { open } from '../data-key/sealed-columns.js';
import { formerSecretColumn, secretColumn } from '../webhook-configs/feature.js';
import type { ClaimedDelivery } from './claim.js';
import type { AttemptResult } from './queue.js';
import { failure, type Sender, type SendResult } from './sender.js';
import { signedHeaders } from './signing.js';

/** RFC 9110 §15.5.11: the receiver says that it will not come back. */
const GONE = 410;
const DAY_MS = 24 * 60 * 60_000;
/** Share of the delay that is random, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** How long a delivery that cannot be signed waits for its next try: it is neither sent unsigned nor given up. */
const HELD_MS = 5 * 60_000;
const UNSIGNED = failure('Not sent: no key of DATA_KEY opens the secret.');

/** Sends a delivery once and decides what comes next. Never throws. */
export async function attempt(
  services: Services,
  sender: Sender,
  delivery: ClaimedDelivery,
): Promise<AttemptResult> {
  const id = orderedId();
  const [startedAt, start] = [now(), monotonicTime()];
  const secrets = await secretsOf(services, delivery);
  const headers = secrets && signedHeaders(delivery, id, startedAt, secrets);
  const result = headers ? await sender.send(delivery.url, headers, delivery.body) : UNSIGNED;
  const { retryAfterMs: _, ...outcome } = result;
  const times = { started_at: startedAt, duration_ms: Math.round(monotonicTime() - start) };
  return {
    delivery,
    attempt: { id, delivery_id: delivery.id, ...times, ...outcome },
    next: headers
      ? nextState(delivery, result)
      : { state: 'retrying', at: now() + HELD_MS, isHeld: true },
  };
}

/**
 * The current secret first, then a former one that still signs; none if the current one was
 * removed. Undefined if no key opens the current one.
 */
async function secretsOf(
  services: Services,
  { webhookId, sealedSecret, formerSecret, formerUntil }: ClaimedDelivery,
): Promise<string[] | undefined> {
  if (sealedSecret === null) return [];
  const current = await open(services, secretColumn, webhookId, sealedSecret);
  if (current === undefined) return undefined;
  if (formerSecret === null || formerUntil <= now()) return [current];
  const former = await open(services, formerSecretColumn, webhookId, formerSecret);
  return former === undefined ? [current] : [current, former];
}

function nextState(
  delivery: ClaimedDelivery,
  { status, error, retryAfterMs }: SendResult,
): AttemptResult['next'] {
  if (error === null) return { state: 'delivered' };
  if (status === GONE) return { state: 'failed' };
  const delay = retryDelay(delivery, delivery.attempts + 1, retryAfterMs);
  return delay === undefined ? { state: 'exhausted' } : { state: 'retrying', at: now() + delay };
}

/**
 * How long to wait after a failed attempt, in ms: `retryDelayMs` × 2^(n-1), at most a day, plus up to a
 * tenth; never less than the receiver asked for, at most a day. Undefined once the retries are used up.
 * @param attempts failed ones, this one included
 */
export function retryDelay(
  { maxRetries, retryDelayMs }: { maxRetries: number; retryDelayMs: number },
  attempts: number,
  retryAfterMs = 0,
): number | undefined {
  if (attempts > maxRetries) return undefined;
  const delay = Math.min(DAY_MS, retryDelayMs * 2 ** (attempts - 1));
  const jittered = delay + randomInt(Math.floor(delay * JITTER) + 1);
  return Math.max(jittered, Math.min(retryAfterMs, DAY_MS));
}

const UNREACHABLE_AFTER_MS = 5 * 24 * 60 * 60_000;

/** Records attempts and the health of their endpoints in one transaction. */
export async function recordAttempts(services: Services, results: AttemptResult[]): Promise<void> {
  await services.transaction(async (tx) => {
    for (const result of results.filter(({ next }) => next.state !== 'delivered')) {
      const { webhookId, url } = result.delivery;
      const isMoved = (await tx.webhookConfigs.find(webhookId))?.url !== url;
      // The answer of the former URL says nothing about the new one, which gets the delivery.
      if (isMoved) result.next = { state: 'retrying', at: now(), isHeld: true };
    }
    await tx.webhooks.queue.recordAttempts(results);
    // A held delivery says nothing about its endpoint.
    const answers = results.filter(({ next }) => !('isHeld' in next));
    const healthy: string[] = [];
    for (const webhookId of new Set(answers.map(({ delivery }) => delivery.webhookId))) {
      const ofWebhook = answers.filter(({ delivery }) => delivery.webhookId === webhookId);
      if (ofWebhook.some(({ next }) => next.state === 'failed')) {
        await tx.webhooks.queue.failAll(webhookId);
        await deactivate(tx, webhookId, 'gone');
      } else if (ofWebhook.some(({ next }) => next.state === 'delivered')) healthy.push(webhookId);
      else await recordFailures(tx, webhookId, ofWebhook);
    }
    if (healthy.length > 0) await tx.webhooks.clearFailures(healthy);
  });
  for (const { delivery, attempt, next } of results) {
    if (next.state === 'delivered') continue;
    const { id, webhookId, event } = delivery;
    const { status, error } = attempt;
    const details = { webhookId, deliveryId: id, event, status, error, state: next.state };
    services.log.warn(details, 'a webhook was not delivered');
  }
}

async function recordFailures(tx: Services, webhookId: string, results: AttemptResult[]) {
  const isExhausted = results.some(({ next }) => next.state === 'exhausted');
  const since = await tx.webhooks.addFailures(webhookId, results.length, isExhausted);
  if (isExhausted && since !== null && now() - since >= UNREACHABLE_AFTER_MS) {
    await deactivate(tx, webhookId, 'unreachable');
  }
}

async function deactivate(
  { webhookConfigs, events, log }: Services,
  webhookId: string,
  reason: 'gone' | 'unreachable',
): Promise<void> {
  if (!(await webhookConfigs.deactivate(webhookId))) return;
  log.warn({ webhookId, reason }, 'a webhook was deactivated');
  events.publish('identity.webhook.deactivated', { webhookId, reason }, {});
}
