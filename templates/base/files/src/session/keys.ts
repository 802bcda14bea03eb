import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Config } from '../config.js';

/** Keys are made once: jsonwebtoken parses a string anew, as a PEM first, at every call. */
export interface Keys {
  /** The first signs, all verify: a comma list in the variable rotates the secret. */
  access: [KeyObject, ...KeyObject[]];
  refresh: [KeyObject, ...KeyObject[]];
  csrf: KeyObject;
  /** Encrypt what is stored. */
  sealing: [KeyObject, ...KeyObject[]];
}

export function createKeys(config: Config): Keys {
  const access = keyList(config.ACCESS_TOKEN_SECRET);
  const [first, ...older] = access;
  return {
    access,
    refresh: keyList(config.REFRESH_TOKEN_SECRET),
    csrf: deriveKey(first, 'csrf'),
    sealing: [deriveKey(first, 'sealing'), ...older.map((key) => deriveKey(key, 'sealing'))],
  };
}

function keyList(secrets: string[]): [KeyObject, ...KeyObject[]] {
  const [first, ...others] = secrets.map((secret) => createSecretKey(Buffer.from(secret)));
  if (!first) throw new Error('A token secret is missing.');
  return [first, ...others];
}

/** A key for one purpose (RFC 5869): a value sealed for one use is worthless for another. */
export function deriveKey(key: KeyObject, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));
}
