import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Limit } from '../../http/route.js';
import { languageIn, type Texts } from '../../mail/compose-mail.js';
import { randomDigits } from '../../process/random.js';
import type { Services } from '../../services.js';
import { deriveKey } from '../../session/tokens.js';
import { transports } from './transports.js';

const DIGITS = 6;
const LIFETIME = 10 * 60 * 1000;

/** What a code is for; one that was texted for something else is wrong. */
export interface CodeUse {
  userId: string;
  /** Each purpose has at most one valid code. */
  purpose: 'login' | 'phone' | '2fa';
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
export async function textCode(
  services: Services,
  use: CodeUse,
  phoneNumber: string,
  language?: string,
): Promise<void> {
  const { config, limiter, log, oneTimeTokens } = services;
  const code = randomDigits(DIGITS);
  const token = tokenOf(services, use, code);
  await oneTimeTokens.issue(kindOf(use), use.userId, LIFETIME, phoneNumber, token);
  await limiter.reset('guessesOfCode', guessed(use));
  const host = new URL(config.APP_URL).hostname;
  const sentence = texts[languageIn(texts, language, config.MAIL_LANGUAGE)] ?? texts.en;
  const text = `${sentence(code, host)}\n\n@${host} #${code}`;
  await transports[config.SMS_TRANSPORT].send(config, log, { to: phoneNumber, text });
}

/**
 * Counts a guess; false if there were too many. Count before comparing, so that parallel guesses cannot
 * exceed the limit, and outside of a transaction: a rollback would undo the count.
 */
export function mayGuess({ limiter }: Services, use: CodeUse): Promise<boolean> {
  return limiter.allows([['guessesOfCode', guessed(use)]]);
}

/** The phone number that the code was texted to; undefined for a wrong one. A code works once. */
export async function consumeCode(
  services: Services,
  use: CodeUse,
  code: string,
): Promise<string | undefined> {
  const token = tokenOf(services, use, code);
  return (await services.oneTimeTokens.consume(kindOf(use), token))?.payload;
}

/** True if the code is right, and the user still has the number that it was texted to. */
export async function useCode(services: Services, use: CodeUse, code: string): Promise<boolean> {
  if (!(await mayGuess(services, use))) return false;
  const phoneNumber = await consumeCode(services, use, code);
  return phoneNumber !== undefined && phoneNumber === (await services.sms.findNumber(use.userId));
}

export function kindOf({ purpose }: Pick<CodeUse, 'purpose'>): string {
  return `sms-${purpose}`;
}

function guessed({ purpose, userId }: CodeUse): string {
  return `${purpose}:${userId}`;
}

/**
 * The one-time token of a code. Keyed, because a million plain hashes can be tried in a second (ASVS 6.5.2).
 * Rotating ACCESS_TOKEN_SECRET voids the codes of the last ten minutes.
 */
function tokenOf(services: Services, use: CodeUse, code: string): string {
  const { userId, purpose, challengeId = '' } = use;
  const key = deriveKey(services.keys.sealing[0], 'sms-code');
  const bound = JSON.stringify([purpose, userId, challengeId, code]);
  return createHmac('sha256', key).update(bound).digest('hex');
}

/** The limits of a text to an account: a pause between two for one purpose, and a maximum an hour in all. */
export function accountLimits(purpose: string, account: string): [pause: Limit, hour: Limit] {
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
