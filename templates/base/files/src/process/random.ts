import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { now } from './clock.js';

const TOKEN_BYTES = 32;

/** An id: UUID version 4 (RFC 9562 §5.4), 122 random bits. Not a secret by itself. */
export function randomId(): string {
  return randomUUID();
}

/**
 * An id for rows of a log: UUID version 7 (RFC 9562 §5.7), 48 bits of time in ms and 74 random bits.
 * New rows stand together at the end of their index, instead of each in a page of its own; whoever sees
 * the id knows when it was made.
 */
export function orderedId(): string {
  const time = now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** A secret: 32 bytes of the system's CSPRNG as 64 hex digits, twice what ASVS 7.2.3 asks for. */
export function randomToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

/** `bytes` random bytes for a cipher's nonce. */
export function randomNonce(bytes: number): Buffer {
  return randomBytes(bytes);
}

/** A whole number from 0 to below `limit`, all equally likely. */
export function randomBelow(limit: number): number {
  return randomInt(limit);
}

/** A code to type: `count` decimal digits (at most 14) of the system's CSPRNG, all equally likely. */
export function randomDigits(count: number): string {
  return String(randomInt(10 ** count)).padStart(count, '0');
}
