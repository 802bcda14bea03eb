import type { Text } from '../../http/html.js';
import type { RequestInfo } from '../../http/request.js';
import { languageIn } from '../../mail/compose-mail.js';
import { now } from '../../process/clock.js';
import { pagesTexts } from './texts.js';

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

/** `t('Save')` is the sentence in every language; `t.texts` has the texts for the feature to contribute. */
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
  // `now`, but not `yesterday`: 47 hours ago is often the day before.
  const numeric = unit === 'second' ? 'auto' : 'always';
  const format = new Intl.RelativeTimeFormat(language, { numeric });
  return format.format(Math.ceil(seconds / length), unit);
}
