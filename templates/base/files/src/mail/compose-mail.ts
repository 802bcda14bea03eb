import { z } from 'zod';
import { HttpError } from '../http/errors.js';
import type { Limit } from '../http/route.js';
import type { Services } from '../services.js';
import { type Content, layoutHtml, layoutText } from './layout.js';
import type { Mail } from './mailer.js';

/** A mail out of its content, as text and as HTML. Paragraphs are plain text. */
export function composeMail({ to, ...content }: Content & { to: string }): Mail {
  return {
    to,
    subject: content.subject,
    text: layoutText(content),
    html: layoutHtml(content).text,
  };
}

/** The texts of a mail by language; English is the one that always exists. */
export interface Texts<T> {
  en: T;
  [language: string]: T;
}

/** The optional body field `emailLang` of the routes that send mail; anything odd counts as absent. */
export const emailLang = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
  .optional()
  .catch(undefined);

/** The texts in the language asked for (BCP 47), or in its main language, or in English. */
export function inLanguage<T>(texts: Texts<T>, language: string | undefined): T {
  const known = (tag: string) => (Object.hasOwn(texts, tag) ? texts[tag] : undefined);
  if (language === undefined) return texts.en;
  return known(language) ?? known(language.split('-')[0] ?? '') ?? texts.en;
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
