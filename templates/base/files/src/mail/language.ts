import { z } from 'zod';

/** The texts of a mail by language; English is the one that always exists. */
export interface Texts<T> {
  en: T;
  [language: string]: T;
}

/** The optional body field `emailLang` of the routes that send mail; anything odd counts as absent. */
export const emailLang = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
  .optional()
  .catch(undefined);

/** The texts in the language asked for (BCP 47), or in its main language, or in English. */
export function inLanguage<T>(texts: Texts<T>, language: string | undefined): T {
  const known = (tag: string) => (Object.hasOwn(texts, tag) ? texts[tag] : undefined);
  if (language === undefined) return texts.en;
  return known(language) ?? known(language.split('-')[0] ?? '') ?? texts.en;
}
