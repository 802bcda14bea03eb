import { createHmac } from 'node:crypto';
import { now } from '../../clock.js';
import { randomDigits } from '../../random.js';
import type { Services } from '../../services.js';
import { deriveKey } from '../../session/keys.js';

const DIGITS = 6;
const LIFETIME = 10 * 60 * 1000;
/** Guesses at one code: with three texts an hour, 15 in a million. */
const ATTEMPTS = 5;

/** What a code is for. One that was texted for something else, or to another number, is wrong. */
export interface CodeUse {
  userId: string;
  /** There is one living code of each purpose. */
  purpose: string;
  phoneNumber: string;
  /** The sign-in that it finishes, if it is a second step. */
  challengeId?: string;
}

/** Makes a code of six digits that lives for ten minutes; an older one of its purpose dies. */
export async function issueCode(services: Services, use: CodeUse): Promise<string> {
  const code = randomDigits(DIGITS);
  const hash = hashOf(services, use, code);
  await services.sms.codes.save(use.userId, use.purpose, hash, now() + LIFETIME);
  return code;
}

/**
 * True if the code is right; it is used up. An attempt is taken before it is looked at, so that
 * parallel guesses cannot exceed the limit. Outside of a transaction: a failed one would give the
 * attempt back.
 */
export async function useCode(services: Services, use: CodeUse, code: string): Promise<boolean> {
  return (await takeCodeAttempt(services, use)) && consumeCode(services, use, code);
}

/** Takes one attempt at the code in use; false if there is none, or none is left. */
export async function takeCodeAttempt(services: Services, use: CodeUse): Promise<boolean> {
  return services.sms.codes.takeAttempt(use.userId, use.purpose, ATTEMPTS);
}

/** Uses up the code, if it is this one. Take an attempt first. */
export async function consumeCode(
  services: Services,
  use: CodeUse,
  code: string,
): Promise<boolean> {
  return services.sms.codes.consume(use.userId, use.purpose, hashOf(services, use, code));
}

/**
 * Keyed, since a million plain hashes are tried in a second (ASVS 6.5.2). A rotation of
 * ACCESS_TOKEN_SECRET voids the codes of the last ten minutes.
 */
function hashOf(services: Services, use: CodeUse, code: string): string {
  const { userId, purpose, phoneNumber, challengeId = '' } = use;
  const key = deriveKey(services.keys.sealing[0], 'sms-code');
  const bound = JSON.stringify([purpose, userId, phoneNumber, challengeId, code]);
  return createHmac('sha256', key).update(bound).digest('hex');
}
