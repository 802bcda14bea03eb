import { z } from 'zod';
import type { Config } from '../config.js';
import type { Limit } from '../http/route.js';
import { type Content, layoutHtml, layoutText } from './layout.js';
import type { Mail } from './mailer.js';

/** Texts by language; English is the one that always exists. */
export interface Texts<T> {
  en: T;
  [language: string]: T;
}

/** A mail before its language is chosen. Paragraphs are plain text. */
export interface Message {
  to: string;
  texts: Texts<Content>;
  /** BCP 47; MAIL_LANGUAGE if absent. */
  language?: string | undefined;
  /** True if nobody asked for it: it tells of something that happened. */
  isNotice?: boolean;
}

/** The mail of a message, as text and as HTML. */
export function composeMail(config: Config, name: string, { to, texts, language }: Message): Mail {
  const chosen = languageIn(texts, language, config.MAIL_LANGUAGE);
  const content = texts[chosen] ?? texts.en;
  const frame = { serviceName: config.SERVICE_NAME, language: chosen };
  const text = layoutText(content, frame);
  return { name, to, subject: content.subject, text, html: layoutHtml(content, frame).text() };
}

/** The first of some languages (BCP 47) that there are texts in, if only in its main language; else English. */
export function languageIn(texts: Texts<unknown>, ...wanted: (string | undefined)[]): string {
  const tags = wanted.flatMap((tag = '') => [tag, tag.split('-')[0] ?? '']);
  return tags.find((tag) => Object.hasOwn(texts, tag)) ?? 'en';
}

export const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** The optional body field `emailLang` of the routes that send mail; anything odd counts as absent. */
export const emailLang = z.string().regex(LANGUAGE).optional().catch(undefined);

/**
 * The limits of a mail: a pause between two of one kind, and so many an hour in all. `account` is the address where
 * anybody may ask for it, else the user's id: what strangers ask for takes nothing from what the user does.
 */
export function mailLimits(kind: string, account: string): [pause: Limit, hour: Limit] {
  return [
    ['mailPauseOfAccount', `${kind}:${account}`],
    ['mailsOfAccount', account],
  ];
}
