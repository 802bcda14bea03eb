import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Config } from '../../config.js';
import { randomBytes } from '../../process/random.js';
import { deriveKey } from '../../session/tokens.js';

const CIPHER = 'aes-256-gcm';
const PURPOSE = 'sealing';
/** NIST SP 800-38D §8.2: 96 bits, random, and never the same twice under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Keys = Pick<Config, 'DATA_KEY'>;

/**
 * Encrypts a text with the first key of DATA_KEY. `context` names its kind and its owner: a sealed value
 * that is moved to another row does not open there.
 */
export function seal({ DATA_KEY: [first = ''] }: Keys, context: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, deriveKey(first, PURPOSE), nonce).setAAD(
    Buffer.from(context),
  );
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts a sealed text; `key` is the index of its key. Undefined if no key opens it, or the context differs. */
export function unseal(
  { DATA_KEY: keys }: Keys,
  context: string,
  sealed: string,
): { text: string; key: number } | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const encrypted = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  for (const [key, secret] of keys.entries()) {
    try {
      const settings = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv(CIPHER, deriveKey(secret, PURPOSE), nonce, settings);
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      const text = decipher.update(encrypted, undefined, 'utf8') + decipher.final('utf8');
      return { text, key };
    } catch {
      // Sealed with an older key, or cut off: try the next one.
    }
  }
  return undefined;
}
