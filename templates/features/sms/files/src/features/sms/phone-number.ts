import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Texts to these cost whoever sends them: the aim of SMS fraud. */
const COSTLY = new Set(['PREMIUM_RATE', 'SHARED_COST']);

/**
 * A phone number in E.164; undefined if it has no country code, an extension, or a length that its
 * country does not know. No stricter: lists of number ranges age, and the code proves that it exists.
 */
export function parsePhoneNumber(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text, { extract: false });
  if (!number?.isPossible() || number.ext) return undefined;
  return COSTLY.has(number.getType() ?? '') ? undefined : number.number;
}
