import { createHmac, timingSafeEqual } from 'node:crypto';
import { now } from '../../process/clock.js';
import { standardKey } from '../webhook-configs/feature.js';
import type { SignatureKind } from '../webhook-configs/store.js';

/** Older or newer time stamps are refused: a recorded call cannot be replayed later. */
const WINDOW_S = 300;

type ReadHeader = (name: string) => string | undefined;

/** What a signature of some kind claims about a call. */
interface Claim {
  key: string | Buffer;
  /** What is signed before the body. */
  prefix: string;
  /** Any of them may match: senders that rotate their secret sign with both. */
  signatures: string[];
  encoding: 'hex' | 'base64';
  /** Seconds since the epoch, for kinds that sign the time. */
  timestamp?: string;
}

/** `sha256=<hex>` of the body alone. */
function ofBody(name: string) {
  return (header: ReadHeader, key: string): Claim => {
    return { key, prefix: '', signatures: listed(header(name), ',', 'sha256='), encoding: 'hex' };
  };
}

const readClaim: Record<SignatureKind, (header: ReadHeader, secret: string) => Claim> = {
  /** As in the outgoing webhooks of this service. */
  service: ofBody('x-webhook-signature'),

  /** Standard Webhooks 1.0: `v1,<base64>` of id, time and body, separated by blanks. */
  'standard-webhooks'(header, secret) {
    const timestamp = header('webhook-timestamp') ?? '';
    return {
      key: standardKey(secret),
      prefix: `${header('webhook-id')}.${timestamp}.`,
      signatures: listed(header('webhook-signature'), ' ', 'v1,'),
      encoding: 'base64',
      timestamp,
    };
  },

  /** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
  github: ofBody('x-hub-signature-256'),

  /** https://docs.stripe.com/webhooks/signature: `t=<time>,v1=<hex>`; the key is the whole `whsec_` text. */
  stripe(header, key) {
    const text = header('stripe-signature');
    const [timestamp = ''] = listed(text, ',', 't=');
    const signatures = listed(text, ',', 'v1=');
    return { key, prefix: `${timestamp}.`, signatures, encoding: 'hex', timestamp };
  },

  /** https://docs.slack.dev/authentication/verifying-requests-from-slack */
  slack(header, key) {
    const timestamp = header('x-slack-request-timestamp') ?? '';
    const signatures = listed(header('x-slack-signature'), ',', 'v0=');
    return { key, prefix: `v0:${timestamp}:`, signatures, encoding: 'hex', timestamp };
  },
};

/** True if the sender of a call knows the secret: an HMAC-SHA256 over the raw body, in the form of the kind. */
export function isSigned(
  kind: SignatureKind,
  secret: string,
  header: ReadHeader,
  rawBody: Buffer,
): boolean {
  const { key, prefix, signatures, encoding, timestamp } = readClaim[kind](header, secret);
  // A `whsec_` with nothing after it would be a key that everybody knows.
  if (key.length === 0 || (timestamp !== undefined && !isRecent(timestamp))) return false;
  const digest = createHmac('sha256', key).update(prefix).update(rawBody).digest(encoding);
  const expected = Buffer.from(digest);
  return signatures.some((signature) => {
    const received = Buffer.from(encoding === 'hex' ? signature.toLowerCase() : signature);
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
}

function isRecent(timestamp: string): boolean {
  return Math.abs(now() / 1000 - Number(timestamp)) <= WINDOW_S;
}

/** The items of a header that begin with `name`, without that prefix. */
function listed(text: string | undefined, separator: string, name: string): string[] {
  const items = (text ?? '').split(separator).map((item) => item.trim());
  return items.filter((item) => item.startsWith(name)).map((item) => item.slice(name.length));
}
