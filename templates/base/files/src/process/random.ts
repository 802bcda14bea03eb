import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { now } from './clock.js';

/** An id: UUID version 4 (RFC 9562 §5.4), 122 random bits. Not a secret by itself. */
export function randomId(): string {
  return randomUUID();
}

/**
 * An id for rows of a log: UUID version 7 (RFC 9562 §5.7), 48 bits of time in ms and 74 random
 * bits. New rows are added at the end of their index, instead of each in a page of its own; the id
 * reveals when it was made.
 */
export function orderedId(): string {
  const time = now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Also from the system's CSPRNG: bytes for a key or a nonce, and uniformly distributed whole numbers. */
export { randomBytes, randomInt };

/** A secret: 32 random bytes as 64 hex digits, twice what ASVS 7.2.3 asks for. */
export function randomToken(): string {
  return randomBytes(32).toString('hex');
}
