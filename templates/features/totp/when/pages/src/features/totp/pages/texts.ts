import { type TextsOf, translator } from '../../pages/texts.js';
import type { totp } from '../feature.js';

export const texts = {
  de: {
    'Authenticator app': 'Authenticator-App',
    On: 'Ein',
    Off: 'Aus',
    'Signing in requires a code from your app.': 'Zur Anmeldung gehört ein Code Ihrer App.',
    'Recovery codes left:': 'Verbleibende Wiederherstellungscodes:',
    'Generate new recovery codes': 'Neue Codes erstellen',
    'Your old recovery codes will no longer work.':
      'Ihre alten Wiederherstellungscodes gelten dann nicht mehr.',
    'Move to another app or phone': 'Auf eine andere App oder ein anderes Telefon umziehen',
    'Turn it off': 'Ausschalten',
    'Anybody who learns your password can then get into your account. Your other sessions will end.':
      'Wer Ihr Passwort erfährt, kommt dann in Ihr Konto. Ihre anderen Sitzungen enden.',
    'Your authenticator app is turned off.': 'Ihre Authenticator-App ist ausgeschaltet.',
    Copy: 'Kopieren',
    Copied: 'Kopiert',
    'Save as a file': 'Als Datei speichern',
    Print: 'Drucken',
    'Code from your authenticator app': 'Code Ihrer Authenticator-App',
    'Six digits, or one of your recovery codes.':
      'Sechs Ziffern oder einer Ihrer Wiederherstellungscodes.',
    'Set up an authenticator app': 'Authenticator-App einrichten',
    'An app on your phone will show a code for each sign-in. Nobody can get in with your password alone.':
      'Eine App auf Ihrem Telefon zeigt für jede Anmeldung einen Code. Niemand kommt mit Ihrem Passwort allein in Ihr Konto.',
    Begin: 'Beginnen',
    'Scan this code with your authenticator app.':
      'Scannen Sie diesen Code mit Ihrer Authenticator-App.',
    'QR code of the key below': 'QR-Code des Schlüssels, der darunter steht',
    'If you cannot scan it, type this key into the app:':
      'Wenn Sie ihn nicht scannen können, geben Sie diesen Schlüssel in der App ein:',
    Confirm: 'Bestätigen',
    'Your authenticator app is set up.': 'Ihre Authenticator-App ist eingerichtet.',
    'Print or save these recovery codes. Each works once, if you ever lose your phone. They are shown only now.':
      'Drucken oder speichern Sie diese Wiederherstellungscodes. Jeder gilt einmal, falls Sie Ihr Telefon verlieren. Sie werden nur jetzt gezeigt.',
    'I have saved them': 'Ich habe sie gespeichert',
    'Set up an authenticator app first.': 'Richten Sie zuerst eine Authenticator-App ein.',
    INVALID_TOTP_CODE: 'Der Code ist falsch oder wurde schon benutzt.',
    EMAIL_NOT_VERIFIED: 'Bestätigen Sie zuerst Ihre Adresse.',
  },
} satisfies TextsOf<typeof totp>;

export const t = translator(texts);
