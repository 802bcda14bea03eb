import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { password } from '../feature.js';

export const texts = defineTexts({
  en: {
    current: 'Current password',
    isSet: 'Set',
    isNotSet: 'Not set',
    changeIt: 'Change the password',
    changed: 'Your password is changed, and your other sessions have ended.',
    password: 'Password',
    newPassword: 'New password',
    forgot: 'Forgot your password?',
    forgotTitle: 'Reset your password',
    forgotText: 'Tell us your email address. We will mail you a link to choose a new password.',
    sendReset: 'Mail me a link',
    resetSent:
      'If there is an account with this address, a mail is on its way. Its link works for one hour.',
    resetTitle: 'Choose a new password',
    setPassword: 'Set the new password',
    resetDone: 'Your password was changed, and your other sessions were ended.',
    resetWithoutLink: 'Open the link of the mail in this browser, or ask for a new one.',
  },
  de: {
    current: 'Aktuelles Passwort',
    isSet: 'Festgelegt',
    isNotSet: 'Nicht festgelegt',
    changeIt: 'Passwort ändern',
    changed: 'Ihr Passwort ist geändert, und Ihre anderen Sitzungen sind beendet.',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    forgot: 'Passwort vergessen?',
    forgotTitle: 'Passwort zurücksetzen',
    forgotText:
      'Geben Sie Ihre E-Mail-Adresse ein. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
    sendReset: 'Link zuschicken',
    resetSent:
      'Falls es ein Konto mit dieser Adresse gibt, ist eine E-Mail unterwegs. Ihr Link gilt eine Stunde.',
    resetTitle: 'Neues Passwort wählen',
    setPassword: 'Neues Passwort festlegen',
    resetDone: 'Ihr Passwort ist geändert, und Ihre anderen Sitzungen sind beendet.',
    resetWithoutLink:
      'Öffnen Sie den Link aus der E-Mail in diesem Browser, oder fordern Sie einen neuen an.',
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
