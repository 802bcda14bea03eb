import { randomBelow } from '../../random.js';
import type { WebhookConfig } from '../webhook-configs/webhook-config.js';

const DAY_MS = 24 * 60 * 60_000;
/** Of the delay: receivers that failed together are not asked again together. */
const JITTER = 0.1;

/**
 * How long to wait after a failed try, in ms: `retryDelayMs` × 2^(n-1), a day at most, plus up to a
 * tenth; never less than the receiver asked for. Undefined once the retries are used up.
 * @param tries tries that have failed, this one included
 */
export function delayAfter(
  { maxRetries, retryDelayMs }: Pick<WebhookConfig, 'maxRetries' | 'retryDelayMs'>,
  tries: number,
  retryAfterMs = 0,
): number | undefined {
  if (tries > maxRetries) return undefined;
  const delay = Math.min(DAY_MS, retryDelayMs * 2 ** Math.min(tries - 1, 40));
  const jittered = delay + randomBelow(Math.floor(delay * JITTER) + 1);
  return Math.max(jittered, Math.min(retryAfterMs, DAY_MS));
}
