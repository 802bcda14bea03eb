import { composeMail, inLanguage, type Texts } from '../../mail/compose-mail.js';
import type { Content } from '../../mail/layout.js';
import type { Mail } from '../../mail/mailer.js';

const notices = {
  enabled: {
    en: {
      subject: 'An authenticator app was set up',
      paragraphs: [
        'Signing in to your account now asks for a code of your authenticator app.',
        'If it was not you, end your other sessions at once, and ask for help.',
      ],
    },
  },
  disabled: {
    en: {
      subject: 'Your authenticator app was removed',
      paragraphs: [
        'Signing in to your account no longer asks for a code.',
        'If it was not you, end your other sessions at once, and ask for help.',
      ],
    },
  },
  codesReplaced: {
    en: {
      subject: 'New recovery codes were made',
      paragraphs: [
        'The old recovery codes of your account no longer work.',
        'If it was not you, end your other sessions at once, and ask for help.',
      ],
    },
  },
} satisfies Record<string, Texts<Content>>;

export type Notice = keyof typeof notices;

const codeUsed: Texts<(left: number) => Content> = {
  en: (left) => ({
    subject: 'A recovery code was used',
    paragraphs: [
      'Somebody signed in to your account with one of your recovery codes.',
      `${left} of them are left. If it was not you, end your other sessions at once, and ask for help.`,
    ],
  }),
};

/** Sent after the app was set up or removed, or the recovery codes were replaced. */
export function noticeMail(to: string, notice: Notice, language?: string): Mail {
  return composeMail({ to, ...inLanguage<Content>(notices[notice], language) });
}

/** Sent after a sign-in by recovery code; `left` of them still work. */
export function codeUsedMail(to: string, left: number, language?: string): Mail {
  return composeMail({ to, ...inLanguage(codeUsed, language)(left) });
}
