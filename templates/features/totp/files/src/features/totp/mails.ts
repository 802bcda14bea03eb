import { notice } from '../../mail/kinds.js';

const NOT_YOU = 'If it was not you, end your other sessions at once, and ask for help.';

export const totpEnabled = notice(() => ({
  en: {
    subject: 'An authenticator app was set up',
    paragraphs: [
      'Signing in to your account now asks for a code from your authenticator app.',
      NOT_YOU,
    ],
  },
}));

export const totpDisabled = notice(() => ({
  en: {
    subject: 'Your authenticator app was removed',
    paragraphs: ['Signing in to your account no longer asks for a code.', NOT_YOU],
  },
}));

export const recoveryCodesReplaced = notice(() => ({
  en: {
    subject: 'New recovery codes were made',
    paragraphs: ['The old recovery codes of your account no longer work.', NOT_YOU],
  },
}));

export const recoveryCodeUsed = notice(({ left }: { left: number }) => ({
  en: {
    subject: 'A recovery code was used',
    paragraphs: [
      'Somebody signed in to your account with one of your recovery codes.',
      `Codes left: ${left}. ${NOT_YOU}`,
    ],
  },
}));
