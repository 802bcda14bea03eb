import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { totp } from '../feature.js';

export const texts = defineTexts({
  app: { en: 'Authenticator app', de: 'Authenticator-App' },
  on: { en: 'On', de: 'Ein' },
  off: { en: 'Off', de: 'Aus' },
  inUse: {
    en: 'Signing in requires a code from your app.',
    de: 'Zur Anmeldung gehört ein Code Ihrer App.',
  },
  codesLeft: { en: 'Recovery codes left:', de: 'Verbleibende Wiederherstellungscodes:' },
  renew: { en: 'Generate new recovery codes', de: 'Neue Wiederherstellungscodes erstellen' },
  renewText: {
    en: 'Your old recovery codes will no longer work.',
    de: 'Ihre alten Wiederherstellungscodes gelten dann nicht mehr.',
  },
  replace: {
    en: 'Move to another app or phone',
    de: 'Auf eine andere App oder ein anderes Telefon umziehen',
  },
  disable: { en: 'Turn it off', de: 'Ausschalten' },
  disableText: {
    en: 'Anybody who learns your password can then get into your account. Your other sessions will end.',
    de: 'Wer Ihr Passwort erfährt, kommt dann in Ihr Konto. Ihre anderen Sitzungen enden.',
  },
  isOff: {
    en: 'Your authenticator app is turned off.',
    de: 'Ihre Authenticator-App ist ausgeschaltet.',
  },
  copy: { en: 'Copy', de: 'Kopieren' },
  copied: { en: 'Copied', de: 'Kopiert' },
  save: { en: 'Save as a file', de: 'Als Datei speichern' },
  print: { en: 'Print', de: 'Drucken' },
  code: { en: 'Code from your authenticator app', de: 'Code Ihrer Authenticator-App' },
  codeHint: {
    en: 'Six digits, or one of your recovery codes.',
    de: 'Sechs Ziffern oder einer Ihrer Wiederherstellungscodes.',
  },
  setUp: { en: 'Set up an authenticator app', de: 'Authenticator-App einrichten' },
  setUpText: {
    en: 'An app on your phone will show a code for each sign-in. Nobody can get in with your password alone.',
    de: 'Eine App auf Ihrem Telefon zeigt für jede Anmeldung einen Code. Niemand kommt mit Ihrem Passwort allein in Ihr Konto.',
  },
  begin: { en: 'Begin', de: 'Beginnen' },
  scan: {
    en: 'Scan this code with your authenticator app.',
    de: 'Scannen Sie diesen Code mit Ihrer Authenticator-App.',
  },
  qrCode: { en: 'QR code of the key below', de: 'QR-Code des Schlüssels, der darunter steht' },
  typeSecret: {
    en: 'If you cannot scan it, type this key into the app:',
    de: 'Wenn Sie ihn nicht scannen können, geben Sie diesen Schlüssel in der App ein:',
  },
  confirm: { en: 'Confirm', de: 'Bestätigen' },
  isSetUp: {
    en: 'Your authenticator app is set up.',
    de: 'Ihre Authenticator-App ist eingerichtet.',
  },
  recoveryCodes: {
    en: 'Print or save these recovery codes. Each works once, if you ever lose your phone. They are shown only now.',
    de: 'Drucken oder speichern Sie diese Wiederherstellungscodes. Jeder gilt einmal, falls Sie Ihr Telefon verlieren. Sie werden nur jetzt gezeigt.',
  },
  onward: { en: 'I have saved them', de: 'Ich habe sie gespeichert' },
});

export const errorTexts: ErrorTextsOf<typeof totp> = {
  de: {
    'Set up an authenticator app first.': 'Richten Sie zuerst eine Authenticator-App ein.',
    INVALID_TOTP_CODE: 'Der Code ist falsch oder wurde schon benutzt.',
    EMAIL_NOT_VERIFIED:
      'Bestätigen Sie zuerst Ihre Adresse: Öffnen Sie den Link, den wir Ihnen geschickt haben.',
  },
};
