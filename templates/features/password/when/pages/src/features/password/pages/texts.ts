import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { password } from '../feature.js';

export const texts = defineTexts({
  current: { en: 'Current password', de: 'Aktuelles Passwort' },
  isSet: { en: 'Set', de: 'Festgelegt' },
  isNotSet: { en: 'Not set', de: 'Nicht festgelegt' },
  changeIt: { en: 'Change the password', de: 'Passwort ändern' },
  changed: {
    en: 'Your password is changed, and your other sessions have ended.',
    de: 'Ihr Passwort ist geändert, und Ihre anderen Sitzungen sind beendet.',
  },
  password: { en: 'Password', de: 'Passwort' },
  newPassword: { en: 'New password', de: 'Neues Passwort' },
  forgot: { en: 'Forgot your password?', de: 'Passwort vergessen?' },
  forgotTitle: { en: 'Reset your password', de: 'Passwort zurücksetzen' },
  forgotText: {
    en: 'Tell us your email address. We will mail you a link to choose a new password.',
    de: 'Geben Sie Ihre E-Mail-Adresse ein. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  },
  resetSent: {
    en: 'If there is an account with this address, a mail is on its way. Its link works for one hour.',
    de: 'Falls es ein Konto mit dieser Adresse gibt, ist eine E-Mail unterwegs. Ihr Link gilt eine Stunde.',
  },
  resetTitle: { en: 'Choose a new password', de: 'Neues Passwort wählen' },
  setPassword: { en: 'Set the new password', de: 'Neues Passwort festlegen' },
  resetWithoutLink: {
    en: 'Open the link of the mail in this browser, or ask for a new one.',
    de: 'Öffnen Sie den Link aus der E-Mail in diesem Browser, oder fordern Sie einen neuen an.',
  },
});

export const errorTexts: ErrorTextsOf<typeof password> = {
  en: {
    'Use at most # bytes.': 'Too long: # letters or digits at most; others count as several.',
  },
  de: {
    INVALID_CREDENTIALS: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    INVALID_CURRENT_PASSWORD: 'Das aktuelle Passwort ist falsch.',
    'A password is needed.': 'Geben Sie ein Passwort ein.',
    'Use at most # bytes.':
      'Zu lang: höchstens # Buchstaben oder Ziffern; andere Zeichen zählen mehrfach.',
    INVALID_RESET_TOKEN: 'Dieser Link ist nicht mehr gültig.',
  },
};
