import { notice } from '../../mail/compose-mail.js';

const NOT_YOU = {
  en: 'If it was not you, end your other sessions at once, and ask for help.',
  de: 'Falls Sie das nicht waren, beenden Sie sofort Ihre anderen Sitzungen und bitten Sie um Hilfe.',
};

export const totpEnabled = notice(() => ({
  subject: {
    en: 'An authenticator app was set up',
    de: 'Eine Authenticator-App wurde eingerichtet',
  },
  paragraphs: [
    {
      en: 'Signing in to your account now asks for a code from your authenticator app.',
      de: 'Bei der Anmeldung wird nun ein Code aus Ihrer Authenticator-App verlangt.',
    },
    NOT_YOU,
  ],
}));

export const totpDisabled = notice(() => ({
  subject: {
    en: 'Your authenticator app was removed',
    de: 'Ihre Authenticator-App wurde entfernt',
  },
  paragraphs: [
    {
      en: 'Signing in to your account no longer asks for a code.',
      de: 'Bei der Anmeldung wird kein Code mehr verlangt.',
    },
    NOT_YOU,
  ],
}));

export const recoveryCodesReplaced = notice(() => ({
  subject: {
    en: 'New recovery codes were made',
    de: 'Neue Wiederherstellungscodes wurden erstellt',
  },
  paragraphs: [
    {
      en: 'The old recovery codes of your account no longer work.',
      de: 'Die bisherigen Wiederherstellungscodes Ihres Kontos gelten nicht mehr.',
    },
    NOT_YOU,
  ],
}));

export const recoveryCodeUsed = notice(({ left }: { left: number }) => ({
  subject: { en: 'A recovery code was used', de: 'Ein Wiederherstellungscode wurde benutzt' },
  paragraphs: [
    {
      en: 'Somebody signed in to your account with one of your recovery codes.',
      de: 'Jemand hat sich mit einem Ihrer Wiederherstellungscodes angemeldet.',
    },
    { en: `Codes left: ${left}. ${NOT_YOU.en}`, de: `Verbleibende Codes: ${left}. ${NOT_YOU.de}` },
  ],
}));
