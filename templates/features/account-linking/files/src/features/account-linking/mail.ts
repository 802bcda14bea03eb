import { composeMail } from '../../mail/compose.js';
import { inLanguage, type Texts } from '../../mail/language.js';
import type { Mail } from '../../mail/mailer.js';
import { ADDRESS, type ProviderAccount } from './provider-account.js';

interface LinkTexts {
  subject: string;
  label: string;
  /** An account elsewhere wants to open this one. */
  account(provider: string, description: string): string[];
  /** Somebody wants to add the address to their own account. */
  address(owner: string): string[];
}

const link: Texts<LinkTexts> = {
  en: {
    subject: 'Link an account',
    label: 'Link it',
    account: (provider, description) => [
      `Somebody signed in at ${provider} as ${description} and wants to get into your account that way from now on.`,
      'If it was you, open the link; it works once, within one hour.',
      'If it was not you, do not open it: whoever it was would get into your account.',
    ],
    address: (owner) => [
      `The owner of the account ${owner} wants to add this address to it. The link confirms that it is yours; it works once, within one hour.`,
      'If it was not you, ignore this mail.',
    ],
  },
};

const inUse: Texts<{ subject: string; paragraphs: string[] }> = {
  en: {
    subject: 'Somebody tried to link your address',
    paragraphs: [
      'Somebody asked to add this address to another account. It has an account of its own, so nothing has changed.',
    ],
  },
};

type Notice = Texts<{ subject: string; paragraphs(provider: string): string[] }>;

const linked: Notice = {
  en: {
    subject: 'An account was linked to yours',
    paragraphs: (provider) => [
      `Your account has a new link: ${provider}.`,
      'If it was not you, remove the link and end your other sessions.',
    ],
  },
};

const unlinked: Notice = {
  en: {
    subject: 'A link of your account was removed',
    paragraphs: (provider) => [
      `Your account is not linked to ${provider} any more.`,
      'If it was not you, end your other sessions and check how you sign in.',
    ],
  },
};

/** The mail with the link that lets `account` into the account of `owner`. */
export function linkRequestMail(
  to: string,
  owner: string,
  account: ProviderAccount,
  url: string,
  language?: string,
): Mail {
  const { subject, label, ...texts } = inLanguage(link, language);
  const paragraphs =
    account.provider === ADDRESS
      ? texts.address(owner)
      : texts.account(account.provider, calledThere(account));
  return composeMail({ to, subject, paragraphs, action: { label, url } });
}

/** Letters, digits, and no point but at the end of a word: nothing that a mail program makes a link of. */
const PLAIN_NAME = /^(?:[\p{L}\p{M}\p{N} '’_-]|\.(?= |$)){1,60}$/u;

/** What the account is called there. Whoever opened it chose the name: it must not be a text that lures the reader. */
function calledThere({ name, id }: ProviderAccount): string {
  return [name ?? '', id].find((text) => PLAIN_NAME.test(text)) ?? 'somebody';
}

/** Told to the owner of an address that somebody else wanted to add to their account. */
export function addressInUseMail(to: string, language?: string): Mail {
  return composeMail({ to, ...inLanguage(inUse, language) });
}

/** Told after a link was made. */
export function linkedMail(to: string, provider: string, language?: string): Mail {
  const { subject, paragraphs } = inLanguage(linked, language);
  return composeMail({ to, subject, paragraphs: paragraphs(provider) });
}

/** Told after a link was removed. */
export function unlinkedMail(to: string, provider: string, language?: string): Mail {
  const { subject, paragraphs } = inLanguage(unlinked, language);
  return composeMail({ to, subject, paragraphs: paragraphs(provider) });
}
