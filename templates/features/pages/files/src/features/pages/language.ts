import type { RequestInfo } from '../../http/request.js';
import { languageIn } from '../../mail/compose-mail.js';
import { now } from '../../process/clock.js';

/** The languages of the pages. Add one here, and the compiler names every text that it lacks. */
const languages = { en: 'English', de: 'Deutsch' };

export type Language = keyof typeof languages;

/** A sentence in every language. */
export type Text = Record<Language, string>;

/** Texts by key: each has every language. */
export function defineTexts<Key extends string>(texts: Record<Key, Text>): Record<Key, Text> {
  return texts;
}

/** What schemas say of a field, as it stands there. */
type Sentences = Record<`${string}.`, string>;

/**
 * The sentences of a feature's error codes, and of its schemas. The English ones are in its `errors`, unless they do not
 * suit a page.
 */
export type ErrorTexts<Code extends string> = {
  en?: Partial<Record<Code, string>> & Sentences;
} & Record<Exclude<Language, 'en'>, Record<Code, string> & Sentences>;

/** Those of the codes that a feature declares: a code without a text does not compile. */
export type ErrorTextsOf<Feature extends { readonly errors: object }> = ErrorTexts<
  Extract<keyof Feature['errors'], string>
>;

/** The first language of Accept-Language that there are texts in, in the order in which browsers list them; else English. */
export function languageOf(request: RequestInfo): Language {
  const accepted = (request.header('accept-language') ?? '').split(',').slice(0, 20);
  const tags = accepted.map((tag) => tag.split(';')[0]?.trim());
  return languageIn(languages, ...tags) as Language;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const formatIn = (language: Language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' });

/** Made once: that takes a hundred times as long as using it. */
const FORMATS: Record<Language, Intl.RelativeTimeFormat> = {
  en: formatIn('en'),
  de: formatIn('de'),
};

/** How long ago `time` (ms) is, in words: the server does not know what time it is where the reader is. */
export function ago(language: Language, time: number): string {
  const past = Math.max(0, now() - time);
  const [unit, length] = UNITS.find(([, length]) => past >= length) ?? ['second', Infinity];
  return FORMATS[language].format(-Math.floor(past / length), unit);
}
