import type { RequestInfo } from '../../http/request.js';
import { languageIn } from '../../mail/compose-mail.js';
import { now } from '../../process/clock.js';

/** The languages of the pages. Add one here, and the compiler names every missing text. */
const languages = { en: 'English', de: 'Deutsch' };

export type Language = keyof typeof languages;

/** A sentence in every language. */
export type Text = Record<Language, string>;

/** The first language of Accept-Language that has texts, in the order in which browsers list them; else English. */
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

/** How long ago `time` (ms) was, in words: the server does not know the reader's time zone. */
export function ago(language: Language, time: number): string {
  const past = Math.max(0, now() - time);
  const [unit, length] = UNITS.find(([, length]) => past >= length) ?? ['second', Infinity];
  return formatOf(language).format(-Math.floor(past / length), unit);
}

/** A delay of some seconds in words, such as `in 5 minutes`. */
export function after(language: Language, seconds: number): string {
  const [unit, length] = seconds > 5_400 ? (['hour', 3_600] as const) : (['minute', 60] as const);
  return formatOf(language).format(Math.ceil(seconds / length), unit);
}

function formatOf(language: Language): Intl.RelativeTimeFormat {
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
}
