import { createHmac } from 'node:crypto';
import { randomToken } from '../../random.js';

/** Of the Standard Webhooks specification: 24 to 64 bytes, base64, with this prefix. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 24;

/** A new signing secret: 24 random bytes. */
export function newSecret(): string {
  const bytes = Buffer.from(randomToken(), 'hex').subarray(0, SECRET_BYTES);
  return PREFIX + bytes.toString('base64');
}

export interface Signed {
  /** Constant over retries and replays. */
  messageId: string;
  /** Of this try. */
  attemptId: string;
  event: string;
  body: string;
  /** When it is sent, in ms. */
  at: number;
  /** The present secret first; a former one while receivers may still use it. */
  secrets: string[];
}

/** The headers of one try: those of the specification, and those of Standard Webhooks. */
export function signedHeaders(signed: Signed): Record<string, string> {
  const { messageId, attemptId, event, body, at, secrets } = signed;
  const seconds = String(Math.floor(at / 1000));
  const [current] = secrets;
  return {
    'Content-Type': 'application/json',
    'X-Webhook-Event': event,
    'X-Webhook-Delivery': attemptId,
    'X-Webhook-Timestamp': new Date(at).toISOString(),
    'webhook-id': messageId,
    'webhook-timestamp': seconds,
    ...(current === undefined
      ? {}
      : {
          'X-Webhook-Signature': `sha256=${hmac(Buffer.from(current), body).toString('hex')}`,
          'webhook-signature': secrets
            .map((secret) => hmac(standardKey(secret), `${messageId}.${seconds}.${body}`))
            .map((signature) => `v1,${signature.toString('base64')}`)
            .join(' '),
        }),
  };
}

function standardKey(secret: string): Buffer {
  return secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret);
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
