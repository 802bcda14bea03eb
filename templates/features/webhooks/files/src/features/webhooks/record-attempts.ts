import { now } from '../../process/clock.js';
import type { Services } from '../../services.js';
import type { AttemptResult } from './queue.js';

const UNREACHABLE_AFTER_MS = 5 * 24 * 60 * 60_000;

/** Writes attempts and the health of their endpoints in one transaction. */
export async function recordAttempts(services: Services, results: AttemptResult[]): Promise<void> {
  await services.transaction(async (tx) => {
    await tx.webhooks.queue.recordAttempts(results);
    const answering: string[] = [];
    for (const webhookId of new Set(results.map(({ delivery }) => delivery.webhookId))) {
      const own = results.filter(({ delivery }) => delivery.webhookId === webhookId);
      if (own.some(({ next }) => next.state === 'failed')) {
        await tx.webhooks.queue.failAll(webhookId);
        await deactivate(tx, webhookId, 'gone');
      } else if (own.some(({ next }) => next.state === 'delivered')) answering.push(webhookId);
      else await recordFailures(tx, webhookId, own);
    }
    if (answering.length > 0) await tx.webhooks.clearFailures(answering);
  });
  for (const { delivery, attempt, next } of results) {
    if (next.state === 'delivered') continue;
    const { id, webhookId, event } = delivery;
    const { status, error } = attempt;
    const told = { webhookId, deliveryId: id, event, status, error, state: next.state };
    services.log.warn(told, 'a webhook was not delivered');
  }
}

async function recordFailures(
  tx: Services,
  webhookId: string,
  results: AttemptResult[],
): Promise<void> {
  // The webhook may have been deleted during the requests.
  if (!(await tx.webhookConfigs.find(webhookId))) return;
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
