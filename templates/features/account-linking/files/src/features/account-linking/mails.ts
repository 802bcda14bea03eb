import { composeMail, inLanguage, type Texts } from '../../mail/compose-mail.js';
import type { Mail } from '../../mail/mailer.js';
import { ADDRESS, type ProviderAccount } from './linked-accounts.js';

interface LinkTexts {
  subject: string;
  label: string;
  /** An account of a provider is to be linked to this one. */
  account(provider: string, name: string): string[];
  /** Somebody wants to add the address to their own account. */
  address(owner: string): string[];
}

const link: Texts<LinkTexts> = {
  en: {
    subject: 'Link an account',
    label: 'Link it',
    account: (provider, name) => [
      `Somebody signed in at ${provider} as ${name} and wants to get into your account that way from now on.`,
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

type Notice = { subject: string; paragraphs(provider: string): string[] };

const notices: Texts<{ linked: Notice; unlinked: Notice }> = {
  en: {
    linked: {
      subject: 'An account was linked to yours',
      paragraphs: (provider) => [
        `Your account has a new link: ${provider}.`,
        'If it was not you, remove the link and end your other sessions.',
      ],
    },
    unlinked: {
      subject: 'A link of your account was removed',
      paragraphs: (provider) => [
        `Your account is no longer linked to ${provider}.`,
        'If it was not you, end your other sessions and check how you sign in.',
      ],
    },
  },
};

/** The mail with the link that links `account` to the account of `owner`. */
export function linkRequestMail(
  to: string,
  owner: string,
  account: ProviderAccount,
  url: string,
  language?: string,
): Mail {
  const { subject, label, ...texts } = inLanguage(link, language);
  const { provider } = account;
  const paragraphs =
    provider === ADDRESS ? texts.address(owner) : texts.account(provider, harmlessName(account));
  return composeMail({ to, subject, paragraphs, action: { label, url } });
}

/** Letters, digits, and dots only at the end of a word: nothing that a mail client turns into a link. */
const PLAIN_NAME = /^(?:[\p{L}\p{M}\p{N} '’_-]|\.(?= |$)){1,60}$/u;

/** The name was chosen at the provider, perhaps by an attacker: it must not contain a phishing text. */
function harmlessName({ name, id }: ProviderAccount): string {
  return [name ?? '', id].find((text) => PLAIN_NAME.test(text)) ?? 'somebody';
}

/** Told to the owner of an address that somebody else wanted to add to their account. */
export function addressInUseMail(to: string, language?: string): Mail {
  return composeMail({ to, ...inLanguage(inUse, language) });
}

/** Told to the owner after an account was linked or unlinked. */
export function linkNoticeMail(to: string, change: 'linked' | 'unlinked', provider: string): Mail {
  const { subject, paragraphs } = inLanguage(notices, undefined)[change];
  return composeMail({ to, subject, paragraphs: paragraphs(provider) });
}
