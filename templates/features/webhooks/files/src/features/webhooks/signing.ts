import { createHmac } from 'node:crypto';
import { randomBytes } from '../../process/random.js';
import { standardKey } from '../webhook-configs/feature.js';
import type { ClaimedDelivery } from './claim.js';

/** As in Standard Webhooks: 24 to 64 bytes, base64, with this prefix. */
export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/**
 * The headers of one attempt, sent at `time` (ms): ours, and those of Standard Webhooks.
 * @param secrets the current one first; empty for an endpoint without a secret
 */
export function signedHeaders(
  { eventId, event, body }: ClaimedDelivery,
  attemptId: string,
  time: number,
  secrets: string[],
): Record<string, string> {
  // The same for all attempts and replays: receivers recognize a message by it.
  const messageId = `msg_${eventId}`;
  const seconds = String(Math.floor(time / 1000));
  const headers = {
    'Content-Type': 'application/json',
    'X-Webhook-Event': event,
    'X-Webhook-Delivery': attemptId,
    'X-Webhook-Timestamp': new Date(time).toISOString(),
    'webhook-id': messageId,
    'webhook-timestamp': seconds,
  };
  const [current] = secrets;
  if (current === undefined) return headers;
  const text = `${messageId}.${seconds}.${body}`;
  const signatures = secrets.map((secret) => `v1,${hmac(standardKey(secret), text, 'base64')}`);
  return {
    ...headers,
    'X-Webhook-Signature': `sha256=${hmac(current, body, 'hex')}`,
    'webhook-signature': signatures.join(' '),
  };
}

function hmac(key: Buffer | string, text: string, encoding: 'base64' | 'hex'): string {
  return createHmac('sha256', key).update(text).digest(encoding);
}
