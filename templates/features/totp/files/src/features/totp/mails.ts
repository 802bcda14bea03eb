import { notice } from '../../mail/kinds.js';

const NOT_YOU = {
  en: 'If it was not you, end your other sessions at once, and ask for help.',
  de: 'Falls Sie das nicht waren, beenden Sie sofort Ihre anderen Sitzungen und bitten Sie um Hilfe.',
};

export const totpEnabled = notice(() => ({
  en: {
    subject: 'An authenticator app was set up',
    paragraphs: [
      'Signing in to your account now asks for a code from your authenticator app.',
      NOT_YOU.en,
    ],
  },
  de: {
    subject: 'Eine Authenticator-App wurde eingerichtet',
    paragraphs: [
      'Bei der Anmeldung wird nun ein Code aus Ihrer Authenticator-App verlangt.',
      NOT_YOU.de,
    ],
  },
}));

export const totpDisabled = notice(() => ({
  en: {
    subject: 'Your authenticator app was removed',
    paragraphs: ['Signing in to your account no longer asks for a code.', NOT_YOU.en],
  },
  de: {
    subject: 'Ihre Authenticator-App wurde entfernt',
    paragraphs: ['Bei der Anmeldung wird kein Code mehr verlangt.', NOT_YOU.de],
  },
}));

export const recoveryCodesReplaced = notice(() => ({
  en: {
    subject: 'New recovery codes were made',
    paragraphs: ['The old recovery codes of your account no longer work.', NOT_YOU.en],
  },
  de: {
    subject: 'Neue Wiederherstellungscodes wurden erstellt',
    paragraphs: [
      'Die bisherigen Wiederherstellungscodes Ihres Kontos gelten nicht mehr.',
      NOT_YOU.de,
    ],
  },
}));

export const recoveryCodeUsed = notice(({ left }: { left: number }) => ({
  en: {
    subject: 'A recovery code was used',
    paragraphs: [
      'Somebody signed in to your account with one of your recovery codes.',
      `Codes left: ${left}. ${NOT_YOU.en}`,
    ],
  },
  de: {
    subject: 'Ein Wiederherstellungscode wurde benutzt',
    paragraphs: [
      'Jemand hat sich mit einem Ihrer Wiederherstellungscodes angemeldet.',
      `Verbleibende Codes: ${left}. ${NOT_YOU.de}`,
    ],
  },
}));
