import type { Config } from '../config.js';
import { type Text, textIn } from '../http/html.js';
import type { Limit } from '../http/route.js';
import type { Services } from '../services.js';
import { type Letter, layoutHtml, layoutText } from './layout.js';
import type { Mail } from './mailer.js';

/** A mail before its language is chosen. */
export interface Message {
  to: string;
  letter: Letter;
  /** BCP 47; MAIL_LANGUAGE if absent. */
  language?: string | undefined;
  /** True if nobody requested it: it reports something that happened. */
  isNotice?: boolean;
}

/**
 * Composes a mail right before it is sent, again for each attempt; undefined if there is nothing to
 * send. `data` went through JSON.
 */
export type ComposeMail<Data> = (services: Services, data: Data) => Promise<Message | undefined>;

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

/**
 * The limits of a mail: a pause between two of one kind, `more` limits, and a number per hour in all. The pause comes
 * first: a second click that it refuses must not count against the others. `account` is the address where anybody may
 * request the mail, else the user's id: strangers cannot use up the user's own limit.
 */
export function mailLimits(kind: string, account: string, ...more: Limit[]): Limit[] {
  return [['mailPauseOfAccount', `${kind}:${account}`], ...more, ['mailsOfAccount', account]];
}

/** The `account` for mails that another account causes: they must not use up those that let the owner sign in. */
export const askedByOthers = (email: string) => `asked:${email}`;

/** The recipient, by the address or id of the account, and the requested language. */
type By<Name extends string> = Record<Name, string> & { language?: string | undefined };
type Recipient = By<'email'> | By<'userId'>;

/** A mail that reports something, to the address of that moment: a thief may change it before the mail is sent. */
export function notice<Data>(letterOf: (data: Data) => Letter): ComposeMail<Data & By<'email'>> {
  return async (_services, data) => {
    return { to: data.email, language: data.language, letter: letterOf(data), isNotice: true };
  };
}

const NOT_YOU = {
  en: 'If this was not you, end your other sessions and contact us immediately.',
  de: 'Falls Sie das nicht waren, beenden Sie sofort Ihre anderen Sitzungen, und wenden Sie sich an uns.',
};

/** A notice of one change to an account, in one sentence. */
export function changeNotice<Data>(
  subject: Text,
  sentenceOf: (data: Data) => Text,
): ComposeMail<Data & By<'email'>> {
  return notice((data) => ({ subject, paragraphs: [sentenceOf(data), NOT_YOU] }));
}

interface Link extends Omit<Letter, 'action'> {
  /** Where the link leads. Never from the Host header, which the sender of the request chooses. */
  page(config: Config): string;
  action: Text;
}

/**
 * A mail to an account's owner, with a link that acts for whoever opens it. Whether an address has an
 * account is looked up when the mail is sent, long after the response: neither its content nor its
 * timing reveals it (ASVS 6.3.8). The token, of this kind and lifetime (ms), voids an older one; `payload` is what it
 * is good for, by default the address.
 */
export function linkMail({
  kind,
  lifetime,
  ...link
}: Link & { kind: string; lifetime: number }): ComposeMail<Recipient & { payload?: string }> {
  return async (services, data) => {
    const user = await ('email' in data
      ? services.users.findByEmail(data.email)
      : services.users.findById(data.userId));
    if (!user) return undefined;
    const { payload = user.email, language } = data;
    const token = await issueIfEnabled(services, kind, user.id, lifetime, payload);
    if (token === undefined) return undefined;
    return { to: user.email, language, letter: linkLetter(services.config, link, token) };
  };
}

export function linkLetter(config: Config, link: Link, token: string): Letter {
  const { page, action: label, ...letter } = link;
  return { ...letter, action: { label, url: `${page(config)}?token=${token}` } };
}

/** Issues a token to send, unless the account is disabled or gone. Locked: disabling it at this moment voids the token. */
export function issueIfEnabled(
  { transaction }: Services,
  ...[kind, userId, ...rest]: Parameters<Services['oneTimeTokens']['issue']>
): Promise<string | undefined> {
  return transaction(async ({ oneTimeTokens, users }) => {
    const isEnabled = (await users.lock(userId))?.disabledAt === null;
    return isEnabled ? oneTimeTokens.issue(kind, userId, ...rest) : undefined;
  });
}
