import { linkMail, notice } from '../../mail/compose-mail.js';

export const KIND = 'password-reset';

export const passwordReset = linkMail({
  kind: KIND,
  lifetime: 60 * 60 * 1000,
  page: ({ APP_URL }) => `${APP_URL}/reset-password`,
  subject: { en: 'Reset your password', de: 'Setzen Sie Ihr Passwort zurück' },
  paragraphs: [
    {
      en: 'Someone asked to reset the password of your account.',
      de: 'Jemand möchte das Passwort Ihres Kontos zurücksetzen.',
    },
    {
      en: 'The link works once, within one hour. If this was not you, ignore this email: nothing has changed.',
      de: 'Der Link gilt einmal und eine Stunde lang. Falls Sie das nicht waren, ignorieren Sie diese E-Mail: Es hat sich nichts geändert.',
    },
  ],
  action: { en: 'Choose a new password', de: 'Neues Passwort wählen' },
});

/** After a password has changed in any way (ASVS 6.3.7); the link is the page to reset it. */
export const passwordChanged = notice(({ url }: { url: string }) => ({
  subject: { en: 'Your password was changed', de: 'Ihr Passwort wurde geändert' },
  paragraphs: [
    {
      en: 'The password of your account was changed just now, and your other sessions were ended.',
      de: 'Das Passwort Ihres Kontos wurde soeben geändert, und Ihre anderen Sitzungen wurden beendet.',
    },
    {
      en: 'If this was not you, reset it immediately.',
      de: 'Falls Sie das nicht waren, setzen Sie es sofort zurück.',
    },
  ],
  action: { label: { en: 'Reset the password', de: 'Passwort zurücksetzen' }, url },
}));
