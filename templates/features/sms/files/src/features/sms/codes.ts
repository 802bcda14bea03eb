import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { HttpError } from '../../http/errors.js';
import type { Limit } from '../../http/route.js';
import { languageIn, type Texts } from '../../mail/compose-mail.js';
import { now } from '../../process/clock.js';
import { randomDigits } from '../../process/random.js';
import type { Services } from '../../services.js';
import { deriveKey } from '../../session/tokens.js';
import { transports } from './transports.js';

const DIGITS = 6;
const LIFETIME = 10 * 60 * 1000;
/** Guesses at one code: with three texts an hour, 15 in a million. */
const ATTEMPTS = 5;

/** What a code is for. A code texted for another use, or to another number, is wrong. */
export interface CodeUse {
  userId: string;
  /** Each purpose has at most one valid code. */
  purpose: string;
  phoneNumber: string;
  /** The sign-in that waits for it, if there is one. */
  challengeId?: string;
}

/** A code as typed. A malformed one is answered like a wrong one. */
export const codeField = z.string().trim().min(1).max(64);

const texts: Texts<(code: string, host: string) => string> = {
  en: (code, host) => `${code} is your code for ${host}. Give it to nobody.`,
};

/**
 * Texts a new code of six digits, valid for ten minutes; it replaces an older one for the same purpose.
 * Call it off the request path. The last line binds the code to the front end's host: phones offer to fill
 * it in only there (WICG, origin-bound one-time codes), not on a look-alike site.
 */
export async function textCode(services: Services, use: CodeUse, language?: string): Promise<void> {
  const { config, log, sms } = services;
  const code = randomDigits(DIGITS);
  await sms.saveCode(use.userId, use.purpose, hashOf(services, use, code), now() + LIFETIME);
  const host = new URL(config.APP_URL).hostname;
  const sentence = (texts[languageIn(texts, language, config.MAIL_LANGUAGE)] ?? texts.en)(
    code,
    host,
  );
  const text = `${sentence}\n\n@${host} #${code}`;
  await transports[config.SMS_TRANSPORT].send(config, log, { to: use.phoneNumber, text });
}

/**
 * True if the code is right; it is then consumed. An attempt is counted before the code is compared, so
 * that parallel guesses cannot exceed the limit. Call it outside a transaction: a rollback would undo the
 * count.
 */
export async function useCode(services: Services, use: CodeUse, code: string): Promise<boolean> {
  const { userId, purpose } = use;
  if (!(await services.sms.takeAttempt(userId, purpose, ATTEMPTS))) return false;
  return services.sms.consumeCode(userId, purpose, hashOf(services, use, code));
}

/**
 * Keyed, because a million plain hashes can be tried in a second (ASVS 6.5.2). Rotating
 * ACCESS_TOKEN_SECRET voids the codes of the last ten minutes.
 */
function hashOf(services: Services, use: CodeUse, code: string): string {
  const { userId, purpose, phoneNumber, challengeId = '' } = use;
  const key = deriveKey(services.keys.sealing[0], 'sms-code');
  const bound = JSON.stringify([purpose, userId, phoneNumber, challengeId, code]);
  return createHmac('sha256', key).update(bound).digest('hex');
}

/** The limits of a text to an account: a pause between two for one purpose, and a maximum an hour in all. */
function accountLimits(purpose: string, account: string): [pause: Limit, hour: Limit] {
  return [
    ['textPauseOfAccount', `${purpose}:${account}`],
    ['textsOfAccount', account],
  ];
}

/** The limits of a request for a text. The pause comes first, so that a second click does not count against the hour. */
export function textLimits(purpose: string, account: string, ip: string): Limit[] {
  const [pause, hour] = accountLimits(purpose, account);
  return [pause, ['textsPerIp', ip], hour];
}

/** Counts a text and returns whether it may be sent. For texts that the response does not reveal. */
export async function mayText(
  services: Services,
  purpose: string,
  userId: string,
): Promise<boolean> {
  try {
    await services.limiter.consume(accountLimits(purpose, userId));
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}
