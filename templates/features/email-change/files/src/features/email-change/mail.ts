import { composeMail } from '../../mail/compose.js';
import { inLanguage, type Texts } from '../../mail/language.js';
import type { Mail } from '../../mail/mailer.js';

const confirm: Texts<{ subject: string; paragraphs: string[]; label: string }> = {
  en: {
    subject: 'Confirm your new address',
    paragraphs: [
      'Somebody asked to move their account to this address.',
      'The link works once, within one hour. If it was not you, ignore this mail: nothing has changed.',
    ],
    label: 'Move the account here',
  },
};

const inUse: Texts<{ subject: string; paragraphs: string[] }> = {
  en: {
    subject: 'Somebody tried to use your address',
    paragraphs: [
      'Somebody asked to move another account to this address. It has an account already, so nothing has changed.',
    ],
  },
};

const changed: Texts<{ subject: string; paragraphs(newEmail: string): string[] }> = {
  en: {
    subject: 'The address of your account was changed',
    paragraphs: (newEmail) => [
      `Your account has moved to ${newEmail}, and its other sessions were ended. Mail to this address opens it no more.`,
      'If it was not you, tell us at once.',
    ],
  },
};

/** The mail with the link, to the new address. */
export function confirmMail(to: string, url: string, language?: string): Mail {
  const { subject, paragraphs, label } = inLanguage(confirm, language);
  return composeMail({ to, subject, paragraphs, action: { label, url } });
}

/** Told to the owner of an address that somebody else wanted to have. */
export function addressInUseMail(to: string, language?: string): Mail {
  return composeMail({ to, ...inLanguage(inUse, language) });
}

/** Told to the old address after the change. */
export function changedMail(to: string, newEmail: string, language?: string): Mail {
  const { subject, paragraphs } = inLanguage(changed, language);
  return composeMail({ to, subject, paragraphs: paragraphs(newEmail) });
}
