import { now } from '../../clock.js';
import { inTransaction, type Services } from '../../services.js';
import type { Settlement } from './queue.js';

/** RFC 9110 §15.5.11: the receiver says itself that it will not come back. */
const GONE = 410;
const DEAD_AFTER_MS = 5 * 24 * 60 * 60_000;

/** Writes the ends of tries, with what they say about their endpoints, in one transaction. */
export async function settleTries(services: Services, settlements: Settlement[]): Promise<void> {
  await inTransaction(services, async (inside) => {
    const { queue, health } = inside.webhooks;
    await queue.settle(settlements);
    const answered: string[] = [];
    for (const [webhookId, tries] of byEndpoint(settlements)) {
      if (tries.some(isGone)) await deactivate(inside, webhookId, 'gone');
      else if (tries.some(isDelivered)) answered.push(webhookId);
      else await judge(inside, webhookId, tries);
    }
    if (answered.length > 0) await health.recover(answered);
  });
}

const isGone = ({ attempt }: Settlement) => attempt.status === GONE;
const isDelivered = ({ next }: Settlement) => next.state === 'delivered';

/** What failures alone say of an endpoint. */
async function judge(inside: Services, webhookId: string, tries: Settlement[]): Promise<void> {
  const { health } = inside.webhooks;
  if (!(await inside.webhookConfigs.find(webhookId))) return;
  await health.fail(webhookId, tries.length);
  if (!tries.some(({ next }) => next.state === 'exhausted')) return;
  const since = await health.exhaust(webhookId);
  if (now() - since >= DEAD_AFTER_MS) await deactivate(inside, webhookId, 'unreachable');
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

function byEndpoint(settlements: Settlement[]): Map<string, Settlement[]> {
  const groups = new Map<string, Settlement[]>();
  for (const settlement of settlements) {
    const { webhookId } = settlement.delivery;
    groups.set(webhookId, [...(groups.get(webhookId) ?? []), settlement]);
  }
  return groups;
}
