import { createHmac, timingSafeEqual } from 'node:crypto';

const FORM = /^sha256=([0-9a-f]{64})$/i;

/** True if `header` is `sha256=<hex>`, the HMAC-SHA256 of the raw body, keyed with the secret's bytes. */
export function isSigned(header: string | undefined, secret: string, rawBody: Buffer): boolean {
  const hex = FORM.exec(header ?? '')?.[1];
  if (hex === undefined) return false;
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected);
}
