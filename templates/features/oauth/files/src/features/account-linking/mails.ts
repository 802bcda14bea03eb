import { type ComposeMail, changeNotice, linkLetter } from '../../mail/compose-mail.js';
import { ADDRESS, KIND, nameOf, type ProviderAccount } from './linked-accounts.js';

export const LIFETIME = 60 * 60 * 1000;

/** What a mailed link links; stored with its token. */
export interface LinkTarget {
  mailedTo: string;
  account: ProviderAccount;
  /** The session that requested it; undefined after a conflict. */
  sessionId?: string | undefined;
}

// No text contains a name from a provider: whoever chose it could write a phishing mail that we send.

/** An account at a provider is to be linked to the reader's account. */
const toLinkAccount = (provider: string, address: string) => ({
  subject: { en: 'Confirm a linked account', de: 'Ein Konto verknüpfen' },
  paragraphs: [
    {
      en: `Someone signed in at ${provider} as ${address} and wants to sign in to your account that way from now on.`,
      de: `Jemand hat sich bei ${provider} als ${address} angemeldet und möchte sich künftig auf diesem Weg an Ihrem Konto anmelden.`,
    },
    {
      en: 'If this was you, open the link; it works once, within one hour.',
      de: 'Falls Sie das waren, öffnen Sie den Link; er gilt einmal und eine Stunde lang.',
    },
    {
      en: 'If this was not you, do not open it: it would give someone else access to your account.',
      de: 'Falls nicht, öffnen Sie ihn nicht: Sonst erhält jemand anderes Zugang zu Ihrem Konto.',
    },
  ],
  action: { en: 'Link account', de: 'Verknüpfen' },
});

/** Somebody wants to add the reader's address to their own account, whose address they chose: it is not named. */
const toAddAddress = (address: string) => ({
  subject: { en: 'Confirm an added email address', de: 'Eine E-Mail-Adresse hinzufügen' },
  paragraphs: [
    {
      en: `Someone wants to add the address ${address} to their account. The link confirms that it is yours; it works once, within one hour.`,
      de: `Jemand möchte die Adresse ${address} dem eigenen Konto hinzufügen. Der Link bestätigt, dass sie Ihnen gehört; er gilt einmal und eine Stunde lang.`,
    },
    {
      en: 'If this was not you, ignore this email.',
      de: 'Falls Sie das nicht waren, ignorieren Sie diese E-Mail.',
    },
  ],
  action: { en: 'Add the email address', de: 'E-Mail-Adresse hinzufügen' },
});

const inUseLetter = (address: string) => ({
  subject: {
    en: 'Someone tried to link your email address',
    de: 'Jemand wollte Ihre Adresse verknüpfen',
  },
  paragraphs: [
    {
      en: `Someone asked to add ${address} to another account. The address already has an account, so nothing has changed.`,
      de: `Jemand wollte ${address} einem anderen Konto hinzufügen. Für diese Adresse gibt es schon ein Konto; es hat sich nichts geändert.`,
    },
  ],
});

/** Sent to the owner of each account that gets a link (ASVS 6.3.7). `what` is a provider, or an added address. */
export const accountLinked = changeNotice(
  { en: 'An account was linked to yours', de: 'Neue Verknüpfung mit Ihrem Konto' },
  ({ what }: { what: string }) => ({
    en: `Your account is now linked to ${what}.`,
    de: `Ihr Konto ist nun verknüpft mit: ${what}.`,
  }),
);

export const accountUnlinked = changeNotice(
  {
    en: 'An account was unlinked from yours',
    de: 'Eine Verknüpfung Ihres Kontos wurde entfernt',
  },
  ({ what }: { what: string }) => ({
    en: `Your account is no longer linked to ${what}.`,
    de: `Ihr Konto ist nicht mehr verknüpft mit: ${what}.`,
  }),
);

/**
 * The mail with the link; a notice if the address belongs to somebody else. Both void an older link: otherwise it
 * would reveal which one was sent. The link names the account as it was when it was requested: later changes at the
 * provider do not change what the owner consents to.
 */
export const linkRequest: ComposeMail<{
  ownerId: string;
  payload: string;
  language?: string | undefined;
}> = async ({ config, oneTimeTokens, users }, { ownerId, payload, language }) => {
  const owner = await users.findById(ownerId);
  const token = owner && (await oneTimeTokens.renew(KIND, ownerId, LIFETIME, payload));
  if (!owner || token === undefined) return undefined;
  const { account, mailedTo: to }: LinkTarget = JSON.parse(payload);
  const holder = await users.findByEmail(to);
  if (holder && holder.id !== ownerId) return { to, language, letter: inUseLetter(to) };
  const isAddress = account.provider === ADDRESS;
  const link = {
    page: () => `${config.APP_URL}/link-verify`,
    ...(isAddress ? toAddAddress(to) : toLinkAccount(nameOf(account), to)),
  };
  return { to, language, letter: linkLetter(config, link, token) };
};
