import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import type { Services } from '../../services.js';
import { secretOf } from '../webhook-configs/save-webhook.js';
import type { WebhookConfig } from '../webhook-configs/store.js';

const FORM = /^sha256=([0-9a-f]{64})$/i;

/** Throws INVALID_SIGNATURE unless the body is signed with the webhook's secret, if it has one. */
export function requireSignature(
  services: Services,
  config: WebhookConfig,
  request: RequestInfo,
  rawBody: Buffer,
): void {
  if (config.sealedSecret === null) return;
  const secret = secretOf(services, config);
  const header = request.header('x-webhook-signature');
  // If the key of the secret was dropped, every call is refused.
  if (secret === undefined || !isSigned(header, secret, rawBody)) throw refuse('INVALID_SIGNATURE');
}

/** `sha256=<hex>`: the HMAC-SHA256 of the raw body, keyed with the secret's bytes. */
function isSigned(header: string | undefined, secret: string, rawBody: Buffer): boolean {
  const hex = FORM.exec(header ?? '')?.[1];
  if (hex === undefined) return false;
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected);
}
