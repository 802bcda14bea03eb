import { createHmac } from 'node:crypto';
import { randomBytes } from '../../process/random.js';
import type { ClaimedDelivery } from './claim.js';

/** Standard Webhooks: 24 to 64 bytes, base64, with this prefix. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 24;

export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
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
  const signatures = secrets.map((secret) => {
    const signature = hmac(standardKey(secret), `${messageId}.${seconds}.${body}`);
    return `v1,${signature.toString('base64')}`;
  });
  return {
    ...headers,
    'X-Webhook-Signature': `sha256=${hmac(Buffer.from(current), body).toString('hex')}`,
    'webhook-signature': signatures.join(' '),
  };
}

/** The key of the Standard Webhooks signature. */
export function standardKey(secret: string): Buffer {
  return secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret);
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
