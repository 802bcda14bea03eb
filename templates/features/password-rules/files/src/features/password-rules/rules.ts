import type { Services } from '../../services.js';
import type { PasswordOwner } from '../password/password.js';
import { isBreached } from './breaches.js';

/** Shorter words are ignored: they are part of too many passwords. */
const WORD_LENGTH = 4;

/**
 * Why a new password is refused, as a sentence; undefined if it is not. No rule requires digits or symbols:
 * length and rarity are what counts (NIST SP 800-63B-4 §3.1.1.2, ASVS 6.2).
 */
export async function problemByRules(
  password: string,
  { services, email }: PasswordOwner,
): Promise<string | undefined> {
  const { config } = services;
  const minLength = config.PASSWORD_MIN_LENGTH;
  if (lengthOf(password) < minLength) return `Use at least ${minLength} characters.`;
  const plain = normalized(password);
  if (await isCommon(plain)) return 'Many people use this password. Choose another.';
  if (lengthOf(withoutOwnWords(plain, services, email)) < minLength) {
    return 'Your address or the name of this service is too large a part of this password.';
  }
  const isKnown = await isBreached(services, password);
  return isKnown ? 'This password is known from a data breach. Choose another.' : undefined;
}

function lengthOf(text: string): number {
  return [...text].length;
}

function normalized(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The list is loaded at the first check: it has some 49,000 passwords, and most requests need none. */
async function isCommon(plain: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'].includes(plain);
}

/** What remains of a password without this service's and user's own words, which an attacker tries first. */
function withoutOwnWords(plain: string, { config }: Services, email = ''): string {
  const words = normalized(`${config.SERVICE_NAME} ${email}`).split(/[^\p{L}\p{N}]+/u);
  const ownWords = words.filter((word) => lengthOf(word) >= WORD_LENGTH);
  return ownWords.reduce((rest, word) => rest.replaceAll(word, ''), plain);
}
