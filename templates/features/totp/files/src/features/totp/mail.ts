import { composeMail } from '../../mail/compose.js';
import { inLanguage, type Texts } from '../../mail/language.js';
import type { Mail } from '../../mail/mailer.js';

interface Notice {
  subject: string;
  paragraphs: string[];
}

const enabled: Texts<Notice> = {
  en: {
    subject: 'An authenticator app was set up',
    paragraphs: [
      'Signing in to your account now asks for a code of your authenticator app.',
      'If it was not you, end your other sessions at once, and ask for help.',
    ],
  },
};

const disabled: Texts<Notice> = {
  en: {
    subject: 'Your authenticator app was removed',
    paragraphs: [
      'Signing in to your account does not ask for a code any more.',
      'If it was not you, end your other sessions at once, and ask for help.',
    ],
  },
};

const codesReplaced: Texts<Notice> = {
  en: {
    subject: 'New recovery codes were made',
    paragraphs: [
      'The old recovery codes of your account do not work any more.',
      'If it was not you, end your other sessions at once, and ask for help.',
    ],
  },
};

const codeUsed: Texts<Notice & { left(count: number): string }> = {
  en: {
    subject: 'A recovery code was used',
    paragraphs: ['Somebody signed in to your account with one of your recovery codes.'],
    left: (count) =>
      `${count} of them are left. If it was not you, end your other sessions at once, and ask for help.`,
  },
};

/** Told after an authenticator app was confirmed. */
export function enabledMail(to: string, language?: string): Mail {
  return composeMail({ to, ...inLanguage(enabled, language) });
}

/** Told after the authenticator app was removed. */
export function disabledMail(to: string, language?: string): Mail {
  return composeMail({ to, ...inLanguage(disabled, language) });
}

/** Told after new recovery codes were made. */
export function codesReplacedMail(to: string, language?: string): Mail {
  return composeMail({ to, ...inLanguage(codesReplaced, language) });
}

/** Told after a sign-in by recovery code. */
export function codeUsedMail(to: string, count: number, language?: string): Mail {
  const { subject, paragraphs, left } = inLanguage(codeUsed, language);
  return composeMail({ to, subject, paragraphs: [...paragraphs, left(count)] });
}
