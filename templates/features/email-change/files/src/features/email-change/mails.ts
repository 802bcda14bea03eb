import { composeMail, inLanguage, type Texts } from '../../mail/compose-mail.js';
import type { Content } from '../../mail/layout.js';
import type { Mail } from '../../mail/mailer.js';

const confirm: Texts<(url: string) => Content> = {
  en: (url) => ({
    subject: 'Confirm your new address',
    paragraphs: [
      'Somebody asked to move their account to this address.',
      'The link works once, within one hour. If it was not you, ignore this mail: nothing has changed.',
    ],
    action: { label: 'Move the account here', url },
  }),
};

const inUse: Texts<Content> = {
  en: {
    subject: 'Somebody tried to use your address',
    paragraphs: [
      'Somebody asked to move another account to this address. It has an account already, so nothing has changed.',
    ],
  },
};

const changed: Texts<(newEmail: string) => Content> = {
  en: (newEmail) => ({
    subject: 'The address of your account was changed',
    paragraphs: [
      `Your account has moved to ${newEmail}, and its other sessions were ended. Mail to this address no longer opens it.`,
      'If it was not you, tell us at once.',
    ],
  }),
};

/** The mail with the link, to the new address. */
export function confirmMail(to: string, url: string, language?: string): Mail {
  return composeMail({ to, ...inLanguage(confirm, language)(url) });
}

/** Sent to the owner of an address that another account wanted to move to. */
export function addressInUseMail(to: string, language?: string): Mail {
  return composeMail({ to, ...inLanguage(inUse, language) });
}

/** Sent to the old address after the change. */
export function changedMail(to: string, newEmail: string, language?: string): Mail {
  return composeMail({ to, ...inLanguage(changed, language)(newEmail) });
}
