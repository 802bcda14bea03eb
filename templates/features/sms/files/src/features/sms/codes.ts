import { createHmac, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { textIn } from '../../http/html.js';
import type { Limit } from '../../http/route.js';
import { issueIfEnabled, languageIn } from '../../mail/compose-mail.js';
import { randomInt } from '../../process/random.js';
import type { Services } from '../../services.js';
import { deriveKey } from '../../session/tokens.js';
import { isCountryAllowed } from './numbers.js';
import { transports } from './transports.js';

const DIGITS = 6;
const LIFETIME = 10 * 60 * 1000;

/** The purpose of a code; a code texted for another purpose is wrong. */
export interface CodeUse {
  userId: string;
  /** Each purpose has at most one valid code. */
  purpose: 'login' | 'phone' | '2fa';
  /** The sign-in that waits for it, or the session that requested it: no other one can use it. */
  challengeId?: string;
  /** The known browser that requests or enters it: strangers cannot use up its guesses. */
  device?: string | undefined;
}

/** A code as typed, also in groups: `123 456`. A malformed one is answered like a wrong one. */
export const codeField = z.string().trim().min(1).max(64);

/**
 * Texts a new code of six digits, valid for ten minutes; it replaces an older one for the same purpose.
 * None if the account is disabled. Call it off the request path. The last line binds the code to the front end's
 * host: phones offer to fill it in only there (WICG, origin-bound one-time codes), not on a look-alike site.
 */
export async function textCode(
  services: Services,
  use: CodeUse,
  phoneNumber: string,
  language?: string,
): Promise<void> {
  const { config, keys, limiter, log } = services;
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  const token = tokenOf(keys.access[0], use, code);
  const { userId } = use;
  const issued = await issueIfEnabled(services, kindOf(use), userId, LIFETIME, phoneNumber, token);
  if (issued === undefined) return;
  for (const device of [undefined, use.device]) {
    await limiter.reset(...guessLimit({ ...use, device }));
  }
  const host = new URL(config.APP_URL).hostname;
  const sentence = {
    en: `${code} is your code for ${host}. Do not share it.`,
    de: `${code} ist Ihr Code für ${host}. Geben Sie ihn niemandem.`,
  };
  const localized = textIn(sentence, languageIn(sentence, language, config.MAIL_LANGUAGE));
  const text = `${localized}\n\n@${host} #${code}`;
  await transports[config.SMS_TRANSPORT].send(config, log, { to: phoneNumber, text });
}

/**
 * The same where the response must reveal nothing: to a number of a country that is not allowed, or
 * past the daily limit, no text is sent, and the log says so.
 */
export async function textCodeIfAllowed(...text: Parameters<typeof textCode>): Promise<void> {
  const [{ config, limiter, log }, { userId }, phoneNumber] = text;
  const refuse = (reason: string) => log.warn({ reason, userId }, 'a text was not sent');
  if (!(await isCountryAllowed(config, phoneNumber))) return refuse('SMS_COUNTRIES');
  if (!(await limiter.allows([TEXT_OF_DAY]))) return refuse('SMS_DAILY_LIMIT');
  await textCode(...text);
}

/**
 * Counts a guess; false if there were too many. Count before comparing, so that parallel guesses cannot
 * exceed the limit, and outside of a transaction: a rollback would undo the count.
 */
export function countGuess({ limiter }: Services, use: CodeUse): Promise<boolean> {
  return limiter.allows([guessLimit(use)]);
}

/** The phone number that the code was texted to; undefined for a wrong one. A code works once. */
export async function consumeCode(
  { keys, oneTimeTokens }: Services,
  use: CodeUse,
  code: string,
): Promise<string | undefined> {
  for (const key of keys.access) {
    const consumed = await oneTimeTokens.consume(kindOf(use), tokenOf(key, use, code));
    if (consumed) return consumed.payload;
  }
  return undefined;
}

/** The number that the right code was texted to, if the user still has it. */
export async function useCode(
  services: Services,
  use: CodeUse,
  code: string,
): Promise<string | undefined> {
  const phoneNumber = await consumeCode(services, use, code);
  return phoneNumber === (await services.sms.findNumber(use.userId)) ? phoneNumber : undefined;
}

export function kindOf({ purpose }: Pick<CodeUse, 'purpose'>): string {
  return `sms-${purpose}`;
}

function guessLimit({ purpose, userId, device = '' }: CodeUse): Limit {
  return ['guessesOfCode', `${purpose}:${userId}:${device}`];
}

/** The one-time token of a code. Keyed, because a million plain hashes can be tried in a second (ASVS 6.5.2). */
function tokenOf(secret: KeyObject, use: CodeUse, code: string): string {
  const { userId, purpose, challengeId = '' } = use;
  const bound = JSON.stringify([purpose, userId, challengeId, code.replace(/\s/g, '')]);
  return createHmac('sha256', deriveKey(secret, 'sms-code')).update(bound).digest('hex');
}

/** Counts all texts of the day. Last, so that requests refused by other limits do not count against it. */
export const TEXT_OF_DAY: Limit = ['textsOfDay', 'all'];

/** Requests by an account's owner, counted apart from those by strangers. */
export const ofOwner = (userId: string) => `owner:${userId}`;

/**
 * The limits of a text to an account: a pause between two for one purpose, `more` limits, and a maximum an hour in all.
 * The pause comes first: a second click must not count against the others.
 */
export function textLimits(purpose: string, account: string, ...more: Limit[]): Limit[] {
  return [['textPauseOfAccount', `${purpose}:${account}`], ...more, ['textsOfAccount', account]];
}
