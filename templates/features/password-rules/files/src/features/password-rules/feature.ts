import { createHash } from 'node:crypto';
import * as z from 'zod';
import { defineFeature } from '../../feature.js';
import { pageUrl } from '../../process/addresses.js';
import { wholeNumber } from '../../process/environment.js';
import type { Services } from '../../services.js';
import type { PasswordOwner } from '../password/password.js';

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
    return 'Use more characters besides your address and the name of this service.';
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
function withoutOwnWords(plain: string, { config }: Services, email: string): string {
  const words = normalized(`${config.SERVICE_NAME} ${email}`).split(/[^\p{L}\p{N}]+/u);
  const ownWords = words.filter((word) => lengthOf(word) >= WORD_LENGTH);
  return ownWords.reduce((rest, word) => rest.replaceAll(word, ''), plain);
}

const PREFIX_LENGTH = 5;
const TIMEOUT = 2000;

/**
 * True for a password of a known data breach. For k-anonymity only the first five hex digits of its SHA-1 hash are sent:
 * they match hundreds of passwords (https://haveibeenpwned.com/API/v3#PwnedPasswords). Without an answer the password
 * is accepted: an outage elsewhere must not keep people from changing theirs.
 */
async function isBreached({ config, log }: Services, password: string): Promise<boolean> {
  const { BREACHED_PASSWORDS_URL: base } = config;
  if (base === 'off') return false;
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
  // A line `SUFFIX:COUNT`; padding has the count 0.
  const listed = new RegExp(`^${hash.slice(PREFIX_LENGTH)}:0*[1-9]`, 'im');
  try {
    const response = await fetch(`${base}/range/${hash.slice(0, PREFIX_LENGTH)}`, {
      // Pads the responses, so that their length reveals nothing to an eavesdropper.
      headers: { 'add-padding': 'true' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (!response.ok) throw new Error(`The look-up was answered ${response.status}.`);
    return listed.test(await response.text());
  } catch (error) {
    log.warn({ err: error }, 'breached passwords could not be looked up: accepted unchecked');
    return false;
  }
}

/** Whether the rules apply is decided by `src/policy.ts`. */
export const passwordRules = defineFeature({
  variables: {
    PASSWORD_MIN_LENGTH: wholeNumber(8, 64).default(8),
    BREACHED_PASSWORDS_URL: z
      .union([z.literal('off'), pageUrl()], 'must be off or a URL, without query or user info')
      .default('https://api.pwnedpasswords.com'),
  },
});
