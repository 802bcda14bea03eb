import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { totp } from '../feature.js';

export const texts = defineTexts({
  en: {
    app: 'Authenticator app',
    on: 'On',
    off: 'Off',
    inUse: 'Signing in takes a code from your app.',
    codesLeft: 'Recovery codes left:',
    renew: 'Make new recovery codes',
    renewText: 'Your old recovery codes will no longer work.',
    replace: 'Move to another app or phone',
    disable: 'Turn it off',
    disableText:
      'Whoever learns your password can then get into your account. Your other sessions will end.',
    isOff: 'Your authenticator app is turned off.',
    copy: 'Copy',
    copied: 'Copied',
    save: 'Save as a file',
    print: 'Print',
    code: 'Code from your authenticator app',
    codeHint: 'Six digits, or one of your recovery codes.',
    setUp: 'Set up an authenticator app',
    setUpText:
      'An app on your phone will show a code for each sign-in. Whoever knows your password cannot get in without it.',
    begin: 'Begin',
    scan: 'Scan this code with your authenticator app.',
    qrCode: 'QR code of the key below',
    typeSecret: 'If you cannot scan it, type this key into the app:',
    confirm: 'Confirm',
    isSetUp: 'Your authenticator app is set up.',
    recoveryCodes:
      'Print or save these recovery codes. Each works once, if you ever lose your phone. They are shown only now.',
    onward: 'I have saved them',
  },
  de: {
    app: 'Authenticator-App',
    on: 'Ein',
    off: 'Aus',
    inUse: 'Zur Anmeldung gehört ein Code Ihrer App.',
    codesLeft: 'Verbleibende Wiederherstellungscodes:',
    renew: 'Neue Wiederherstellungscodes erstellen',
    renewText: 'Ihre alten Wiederherstellungscodes gelten dann nicht mehr.',
    replace: 'Auf eine andere App oder ein anderes Telefon umziehen',
    disable: 'Ausschalten',
    disableText: 'Wer Ihr Passwort erfährt, kommt dann in Ihr Konto. Ihre anderen Sitzungen enden.',
    isOff: 'Ihre Authenticator-App ist ausgeschaltet.',
    copy: 'Kopieren',
    copied: 'Kopiert',
    save: 'Als Datei speichern',
    print: 'Drucken',
    code: 'Code Ihrer Authenticator-App',
    codeHint: 'Sechs Ziffern oder einer Ihrer Wiederherstellungscodes.',
    setUp: 'Authenticator-App einrichten',
    setUpText:
      'Eine App auf Ihrem Telefon zeigt für jede Anmeldung einen Code. Wer nur Ihr Passwort kennt, kommt ohne ihn nicht hinein.',
    begin: 'Beginnen',
    scan: 'Scannen Sie diesen Code mit Ihrer Authenticator-App.',
    qrCode: 'QR-Code des Schlüssels, der darunter steht',
    typeSecret: 'Wenn Sie ihn nicht scannen können, geben Sie diesen Schlüssel in der App ein:',
    confirm: 'Bestätigen',
    isSetUp: 'Ihre Authenticator-App ist eingerichtet.',
    recoveryCodes:
      'Drucken oder speichern Sie diese Wiederherstellungscodes. Jeder gilt einmal, falls Sie Ihr Telefon verlieren. Sie werden nur jetzt gezeigt.',
    onward: 'Ich habe sie gespeichert',
  },
});

export const errorTexts: ErrorTextsOf<typeof totp> = {
  de: {
    'Set up an authenticator app first.': 'Richten Sie zuerst eine Authenticator-App ein.',
    INVALID_TOTP_CODE: 'Der Code ist falsch oder wurde schon benutzt.',
    EMAIL_NOT_VERIFIED:
      'Bestätigen Sie zuerst Ihre Adresse: Öffnen Sie den Link, den wir Ihnen geschickt haben.',
  },
};
