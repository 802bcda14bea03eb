import { linkMail, notice } from '../../mail/kinds.js';

export const KIND = 'password-reset';
const HOUR = 60 * 60 * 1000;

export const passwordReset = linkMail({
  kind: KIND,
  lifetime: HOUR,
  page: ({ APP_URL }) => `${APP_URL}/reset-password`,
  texts: (url) => ({
    en: {
      subject: 'Reset your password',
      paragraphs: [
        'Somebody asked to reset the password of your account.',
        'The link works once, within one hour. If it was not you, ignore this mail: nothing has changed.',
      ],
      action: { label: 'Choose a new password', url },
    },
    de: {
      subject: 'Setzen Sie Ihr Passwort zurück',
      paragraphs: [
        'Jemand möchte das Passwort Ihres Kontos zurücksetzen.',
        'Der Link gilt einmal und eine Stunde lang. Falls Sie das nicht waren, ignorieren Sie diese E-Mail: Es hat sich nichts geändert.',
      ],
      action: { label: 'Neues Passwort wählen', url },
    },
  }),
});

/** After a password has changed, by whichever way (ASVS 6.3.7); the link is the page to reset it. */
export const passwordChanged = notice(({ url }: { url: string }) => ({
  en: {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account was changed just now, and your other sessions were ended.',
      'If it was not you, reset it at once.',
    ],
    action: { label: 'Reset the password', url },
  },
  de: {
    subject: 'Ihr Passwort wurde geändert',
    paragraphs: [
      'Das Passwort Ihres Kontos wurde soeben geändert, und Ihre anderen Sitzungen wurden beendet.',
      'Falls Sie das nicht waren, setzen Sie es sofort zurück.',
    ],
    action: { label: 'Passwort zurücksetzen', url },
  },
}));
