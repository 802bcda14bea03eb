import type { HttpErrors } from '../../http/errors.js';
import type { Text } from '../../http/html.js';
import type { RequestInfo } from '../../http/request.js';
import { languageIn } from '../../mail/compose-mail.js';
import { now } from '../../process/clock.js';

/** The languages of the pages. Add one here, and the compiler names every missing text. */
const languages = { en: 'English', de: 'Deutsch' };

export type Language = keyof typeof languages;

type Foreign = Exclude<Language, 'en'>;

type Translated<Key extends string> = Record<Foreign, Record<Key, string>>;

/**
 * What the pages of a feature say in each language but English, by the English sentence. The texts for error codes, names
 * of fields and settings, and messages of schemas (`#` stands for what varies) have these as their keys; `en` may have
 * them too, where the API's own do not suit a page.
 */
export type Texts = { en?: Record<string, string> } & Translated<string>;

/** The same with every error code of the feature: a code without a text does not compile. */
export type TextsOf<Feature extends { readonly errors: object }> = Texts &
  Translated<Extract<keyof Feature['errors'], string>>;

/** The texts of the layout, of forms, and of the pages that every service has. */
export const pagesTexts = {
  en: {
    INVALID_JSON: 'The request arrived incomplete. Try again.',
    UNSUPPORTED_MEDIA_TYPE: 'This is not a form of this service.',
    VALIDATION_FAILED: 'Please check what you typed.',
    CSRF_INVALID: 'This form is no longer valid. Go back, load the page again, and send it again.',
    ORIGIN_NOT_ALLOWED: 'This form was sent from an address other than that of this service.',
    RATE_LIMITED: 'Too many attempts. Try again {wait}.',
    REAUTHENTICATION_REQUIRED: 'Please confirm that it is you.',
    name: 'Display name',
    firstName: 'First name',
    lastName: 'Last name',
    'This must be of type number.': 'This must be a number.',
    'This must be of type int.': 'This must be a whole number.',
  },
  de: {
    'Sign in': 'Anmelden',
    'Sign out': 'Abmelden',
    'You are signed out': 'Sie sind abgemeldet',
    'Email address': 'E-Mail-Adresse',
    'Your changes are saved.': 'Ihre Änderungen sind gespeichert.',
    Save: 'Speichern',
    name: 'Anzeigename',
    firstName: 'Vorname',
    lastName: 'Nachname',
    Show: 'Anzeigen',
    Hide: 'Verbergen',
    Copy: 'Kopieren',
    Copied: 'Kopiert',
    'Your account': 'Ihr Konto',
    'Your service is running': 'Ihr Dienst läuft',
    'In production this address redirects to the sign-in page. A route of your own at / replaces it.':
      'Im Produktivbetrieb führt diese Adresse zur Anmeldung. Eine eigene Route unter / ersetzt sie.',
    'Become an administrator': 'Administrator werden',
    'For an existing account:': 'Für ein bestehendes Konto:',
    'OpenAPI document of': 'OpenAPI-Dokument von',
    'Emails of this service': 'E-Mails dieses Dienstes',
    'Without SMTP_URL, emails are not sent but kept in data/outbox. These are the ones since the last start.':
      'Ohne SMTP_URL werden E-Mails nicht verschickt, sondern in data/outbox abgelegt. Hier sind die seit dem letzten Start.',
    'About you': 'Über Sie',
    'Signing in': 'Anmeldung',
    'Your data': 'Ihre Daten',
    Profile: 'Profil',
    'Not filled in yet': 'Noch nicht ausgefüllt',
    'Where you are signed in': 'Wo Sie angemeldet sind',
    'Devices and browsers:': 'Geräte und Browser:',
    'this device': 'dieses Gerät',
    'Unknown device': 'Unbekanntes Gerät',
    'last active': 'zuletzt aktiv',
    'signed in': 'angemeldet',
    'That session has ended.': 'Diese Sitzung ist beendet.',
    'Sign out everywhere else': 'Überall sonst abmelden',
    'All others will have to sign in again.': 'Alle anderen müssen sich neu anmelden.',
    'All your other sessions have ended.': 'Alle Ihre anderen Sitzungen sind beendet.',
    'Your session has ended. Sign in to continue; your input is kept.':
      'Ihre Sitzung ist beendet. Melden Sie sich an, um weiterzumachen; Ihre Eingaben bleiben erhalten.',
    'Back to sign-in': 'Zurück zur Anmeldung',
    'Use another way to sign in': 'Auf andere Weise anmelden',
    'Email me a link': 'Link zuschicken',
    'Get another link': 'Neuen Link anfordern',
    'Check your mailbox': 'Sehen Sie in Ihrem Postfach nach',
    'An email is on its way. Open its link in this browser within an hour.':
      'Eine E-Mail ist unterwegs. Öffnen Sie ihren Link innerhalb einer Stunde in diesem Browser.',
    Continue: 'Weiter',
    Confirm: 'Bestätigen',
    'Open the link from the email in this browser.':
      'Öffnen Sie den Link aus der E-Mail in diesem Browser.',
    'Sign in again to confirm': 'Zur Bestätigung neu anmelden',
    'You are signed in as': 'Sie sind angemeldet als',
    'There is nothing here': 'Hier ist nichts',
    'The address may be mistyped, or the page has moved.':
      'Vielleicht enthält die Adresse einen Tippfehler, oder die Seite ist umgezogen.',
    'This did not work': 'Das hat nicht geklappt',
    'The sign-in was not completed.': 'Die Anmeldung wurde nicht abgeschlossen.',
    'You are signed in again. Nothing was done yet: check this form, and send it again.':
      'Sie sind wieder angemeldet. Noch ist nichts geschehen: Prüfen Sie das Formular, und senden Sie es noch einmal.',
    'What you typed was too long to keep.': 'Ihre Eingaben waren zu lang, um sie aufzubewahren.',
    'Open this page at': 'Öffnen Sie diese Seite unter',
    INVALID_JSON: 'Die Anfrage kam unvollständig an. Versuchen Sie es noch einmal.',
    VALIDATION_FAILED: 'Bitte prüfen Sie Ihre Eingaben.',
    INVALID_TOKEN: 'Bitte melden Sie sich an.',
    SESSION_REVOKED: 'Diese Sitzung ist beendet. Bitte melden Sie sich neu an.',
    SESSION_NOT_FOUND: 'Diese Sitzung gibt es nicht mehr.',
    FORBIDDEN: 'Dazu fehlt Ihnen die Berechtigung.',
    ACCOUNT_DISABLED: 'Dieses Konto ist gesperrt.',
    CSRF_INVALID:
      'Dieses Formular ist nicht mehr gültig. Gehen Sie zurück, laden Sie die Seite neu, und senden Sie es noch einmal.',
    ORIGIN_NOT_ALLOWED: 'Dieses Formular kam von einer anderen Adresse als der dieses Dienstes.',
    REAUTHENTICATION_REQUIRED: 'Bitte bestätigen Sie, dass Sie es sind.',
    NOT_FOUND: 'Hier ist nichts.',
    METHOD_NOT_ALLOWED: 'Das geht an dieser Adresse nicht.',
    BODY_TOO_LARGE: 'Das sind zu viele Daten.',
    UNSUPPORTED_MEDIA_TYPE: 'Das ist kein Formular dieses Dienstes.',
    RATE_LIMITED: 'Zu viele Versuche. Versuchen Sie es {wait} noch einmal.',
    INTERNAL: 'Bei uns ist etwas schiefgegangen.',
    NOT_IMPLEMENTED: 'Das gibt es hier nicht.',
    UNAVAILABLE: 'Der Dienst ist überlastet oder nicht bereit. Versuchen Sie es gleich wieder.',
    'This is missing.': 'Diese Angabe fehlt.',
    'This must not be empty.': 'Dieses Feld darf nicht leer sein.',
    'This is not an email address.': 'Das ist keine E-Mail-Adresse.',
    'This is not in the expected format.': 'Das hat nicht das erwartete Format.',
    'There is no such field.': 'Dieses Feld gibt es nicht.',
    'Use at least # characters.': 'Mindestens # Zeichen.',
    'Use at most # characters.': 'Höchstens # Zeichen.',
    'Use at most # entries.': 'Höchstens # Einträge.',
    'Use at least #.': 'Mindestens #.',
    'Use at most #.': 'Höchstens #.',
    'Allowed here: #.': 'Erlaubt ist hier: #.',
    'This must be of type number.': 'Das muss eine Zahl sein.',
    'This must be of type int.': 'Das muss eine ganze Zahl sein.',
  },
} satisfies Texts & Translated<Extract<keyof HttpErrors, string>>;

/** `t('Save')`: the sentence in every language. With the texts that it was made from, for the feature to contribute. */
type Translator<Own extends Texts> = { readonly texts: Own } & ((
  en: Extract<keyof Own[Foreign] | keyof (typeof pagesTexts)[Foreign], string>,
) => Text);

/** Makes the `t` of a feature, which knows its texts and those of all pages. */
export function translator<const Own extends Texts>(texts: Own): Translator<Own> {
  const known = (to: Language): Record<string, string> => ({ ...pagesTexts[to], ...texts[to] });
  const all = Object.keys(languages).map((to) => [to, known(to as Language)] as const);
  const t = (en: string): Text => ({
    ...Object.fromEntries(all.map(([to, its]) => [to, its[en] ?? en])),
    en,
  });
  return Object.assign(t, { texts });
}

export const t = translator(pagesTexts);

/** The first language of Accept-Language that has texts, in the order in which browsers list them; else English. */
export function languageOf(request: RequestInfo): Language {
  const accepted = (request.header('accept-language') ?? '').split(',').slice(0, 20);
  const tags = accepted.map((tag) => tag.split(';')[0]?.trim());
  return languageIn(languages, ...tags) as Language;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago `time` (ms) was, in words: the server does not know the reader's time zone. */
export function ago(language: Language, time: number): string {
  return fromNow(language, Math.min(0, time - now()) / 1000);
}

/** A time some seconds away, in words, such as `in 5 minutes`. */
export function fromNow(language: Language, seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return format.format(Math.ceil(seconds / length), unit);
}
