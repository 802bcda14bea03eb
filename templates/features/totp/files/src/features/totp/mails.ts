import { changeNotice } from '../../mail/kinds.js';

export const totpEnabled = changeNotice(() => ({
  en: 'An authenticator app was set up: signing in to your account now asks for its codes.',
  de: 'Eine Authenticator-App wurde eingerichtet: Bei der Anmeldung werden nun ihre Codes verlangt.',
}));

export const totpDisabled = changeNotice(() => ({
  en: 'Your authenticator app was removed: signing in no longer asks for a code.',
  de: 'Ihre Authenticator-App wurde entfernt: Bei der Anmeldung wird kein Code mehr verlangt.',
}));

export const recoveryCodesReplaced = changeNotice(() => ({
  en: 'New recovery codes were made for your account: the old ones no longer work.',
  de: 'Neue Wiederherstellungscodes wurden erstellt: Die bisherigen gelten nicht mehr.',
}));

export const recoveryCodeUsed = changeNotice(({ left }: { left: number }) => ({
  en: `Somebody signed in to your account with one of your recovery codes; ${left} are left.`,
  de: `Jemand hat sich mit einem Ihrer Wiederherstellungscodes angemeldet; ${left} bleiben.`,
}));
