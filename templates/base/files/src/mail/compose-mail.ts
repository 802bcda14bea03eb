import { z } from 'zod';
import type { Config } from '../config.js';
import { HttpError } from '../http/errors.js';
import type { Limit } from '../http/route.js';
import type { Services } from '../services.js';
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
}

/** The mail of a message, as text and as HTML. */
export function composeMail(config: Config, name: string, { to, texts, language }: Message): Mail {
  const chosen = languageIn(texts, language, config.MAIL_LANGUAGE);
  const content = texts[chosen] ?? texts.en;
  const frame = { serviceName: config.SERVICE_NAME, language: chosen };
  const text = layoutText(content, frame);
  return { name, to, subject: content.subject, text, html: layoutHtml(content, frame).text };
}

/** The first of some languages (BCP 47) that there are texts in, if only in its main language; else English. */
export function languageIn(texts: Texts<unknown>, ...wanted: (string | undefined)[]): string {
  const tags = wanted.flatMap((tag = '') => [tag, tag.split('-')[0] ?? '']);
  return tags.find((tag) => Object.hasOwn(texts, tag)) ?? 'en';
}

export const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** The optional body field `emailLang` of the routes that send mail; anything odd counts as absent. */
export const emailLang = z.string().regex(LANGUAGE).optional().catch(undefined);

/** A link that acts for whoever opens it, and the mail that it is in. */
interface MailedLink {
  to: string;
  language?: string | undefined;
  texts(url: string): Texts<Content>;
  /** Never from the Host header, which the sender of the request chooses. */
  page: string;
  /** The kind of one-time token. */
  kind: string;
  /** In ms, from when the mail is sent. */
  lifetime: number;
  userId: string;
  /** What the token is good for. */
  payload: string;
}

/** The message with a link. Its token is made now, as the mail is sent; an older one of its kind is void. */
export async function linkMessage(services: Services, link: MailedLink): Promise<Message> {
  const { kind, language, lifetime, page, payload, texts, to, userId } = link;
  const token = await services.oneTimeTokens.issue(kind, userId, lifetime, payload);
  return { to, language, texts: texts(`${page}?token=${token}`) };
}

/** The limits of a mail to an address: so many an hour in all, and a pause between two of one kind. */
export function mailLimits(kind: string, email: string): Limit[] {
  return [
    ['mailPauseOfAccount', `${kind}:${email}`],
    ['mailsOfAccount', email],
  ];
}

/** True if such a mail may be sent now; it is counted. For mails that the answer does not speak of. */
export async function mayMail(services: Services, kind: string, email: string): Promise<boolean> {
  try {
    await services.limiter.consume(mailLimits(kind, email));
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}
