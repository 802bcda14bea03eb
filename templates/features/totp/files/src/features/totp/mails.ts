import { changeNotice } from '../../mail/compose-mail.js';

export const totpEnabled = changeNotice(
  { en: 'An authenticator app was set up', de: 'Eine Authenticator-App wurde eingerichtet' },
  () => ({
    en: 'Signing in to your account now asks for a code from your authenticator app.',
    de: 'Bei der Anmeldung wird nun ein Code aus Ihrer Authenticator-App verlangt.',
  }),
);

export const totpDisabled = changeNotice(
  { en: 'Your authenticator app was removed', de: 'Ihre Authenticator-App wurde entfernt' },
  () => ({
    en: 'Signing in to your account no longer asks for a code.',
    de: 'Bei der Anmeldung wird kein Code mehr verlangt.',
  }),
);

export const recoveryCodesReplaced = changeNotice(
  { en: 'New recovery codes were made', de: 'Neue Wiederherstellungscodes wurden erstellt' },
  () => ({
    en: 'The old recovery codes of your account no longer work.',
    de: 'Die bisherigen Wiederherstellungscodes Ihres Kontos gelten nicht mehr.',
  }),
);

export const recoveryCodeUsed = changeNotice(
  { en: 'A recovery code was used', de: 'Ein Wiederherstellungscode wurde benutzt' },
  ({ left }: { left: number }) => ({
    en: `Somebody signed in to your account with one of your recovery codes. Codes left: ${left}.`,
    de: `Jemand hat sich mit einem Ihrer Wiederherstellungscodes angemeldet. Verbleibende Codes: ${left}.`,
  }),
);
