import * as z from 'zod';
import type { Config } from '../config.js';
import { textIn } from '../http/html.js';
import type { Limit } from '../http/route.js';
import { type Letter, layoutHtml, layoutText } from './layout.js';
import type { Mail } from './mailer.js';

/** A mail before its language is chosen. */
export interface Message {
  to: string;
  letter: Letter;
  /** BCP 47; MAIL_LANGUAGE if absent. */
  language?: string | undefined;
  /** True if nobody asked for it: it tells of something that happened. */
  isNotice?: boolean;
}

/** The mail of a message, as text and as HTML. */
export function composeMail(config: Config, name: string, { to, letter, ...asked }: Message): Mail {
  const language = languageIn(letter.subject, asked.language, config.MAIL_LANGUAGE);
  const frame = { serviceName: config.SERVICE_NAME, language };
  const subject = textIn(letter.subject, language);
  const html = layoutHtml(letter, frame).text(language);
  return { name, to, subject, text: layoutText(letter, frame), html };
}

/** The first of the wanted languages (BCP 47) that has texts, if only for its primary language; else English. */
export function languageIn(texts: object, ...wanted: (string | undefined)[]): string {
  const tags = wanted.flatMap((tag = '') => [tag, tag.split('-')[0] ?? '']);
  return tags.find((tag) => Object.hasOwn(texts, tag)) ?? 'en';
}

export const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** The optional body field `emailLang` of the routes that send mail; anything odd counts as absent. */
export const emailLang = z.string().regex(LANGUAGE).optional().catch(undefined);

/**
 * The limits of a mail: a pause between two of one kind, and a number per hour in all. `account` is the address
 * where anybody may request the mail, else the user's id: requests by strangers do not use up the user's own.
 */
export function mailLimits(kind: string, account: string): [pause: Limit, hour: Limit] {
  return [
    ['mailPauseOfAccount', `${kind}:${account}`],
    ['mailsOfAccount', account],
  ];
}
