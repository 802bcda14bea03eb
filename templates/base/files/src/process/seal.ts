import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { randomNonce } from './random.js';

const CIPHER = 'aes-256-gcm';
/** NIST SP 800-38D §8.2: 96 bits, random, and never the same twice under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text for storage. `context` names what it is and whose: a sealed value that is moved to
 * another row does not open there.
 */
export function seal(keys: [KeyObject, ...KeyObject[]], context: string, text: string): string {
  const nonce = randomNonce(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keys[0], nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The text again; undefined if no key opens it, or it was sealed for something else. */
export function unseal(keys: KeyObject[], context: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  for (const key of keys) {
    try {
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
    } catch {
      // Sealed under an older secret: try the next key.
    }
  }
  return undefined;
}
